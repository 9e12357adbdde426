import { Copy } from 'lucide-react'
import { useState } from 'react'
import { Button, Dialog, DialogTrigger, Heading, Popover, ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import buttonStyles from '../../components/Button.module.css'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Icon } from '../../components/Icon.tsx'
import { curlCommand } from '../../service/requests.ts'
import { useSession } from '../../service/session.tsx'
import styles from './Popover.module.css'

interface RequestFormsProps {
  readonly title: string
  readonly headingLevel: number
  /** Path of the request in the API. */
  readonly path: string
  /** The call of the TypeScript client. */
  readonly call: string
}

const forms = ['link', 'curl', 'TypeScript'] as const
type Form = (typeof forms)[number]

/** The request behind what is shown, as a link, as a command, or as a call of the client. */
export const RequestForms = ({ title, headingLevel, path, call }: RequestFormsProps) => {
  const { token } = useSession()
  const [form, setForm] = useState<Form>('curl')
  const texts: Readonly<Record<Form, () => string>> = {
    link: () => location.href,
    curl: () => curlCommand(path, token !== undefined),
    TypeScript: () => call,
  }
  return (
    <>
      <div className={styles.formHead}>
        <Heading level={headingLevel} className={styles.title}>
          {title}
        </Heading>
        <ToggleButtonGroup
          className={buttonStyles.group}
          selectionMode="single"
          disallowEmptySelection
          aria-label="Form"
          selectedKeys={[form]}
          onSelectionChange={(keys) => setForm([...keys][0] as Form)}
        >
          {forms.map((name) => (
            <ToggleButton key={name} id={name}>
              {name}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long requests are scrolled by keys */}
      <code className={styles.code} tabIndex={0}>
        {texts[form]()}
      </code>
      <div className={styles.actions}>
        <CopyButton label="Copy" text={texts[form]} />
      </div>
    </>
  )
}

export const CopyAs = ({ path, call }: { readonly path: string; readonly call: string }) => (
  <DialogTrigger>
    <Button className={`${buttonStyles.button} ${buttonStyles.bare}`}>
      <Icon of={Copy} />
      Copy as…
    </Button>
    <Popover className={`${styles.popover} ${styles.wide}`} placement="bottom end">
      <Dialog className={styles.dialog} aria-label="Copy this list as">
        <RequestForms title="Copy this list as" headingLevel={2} path={path} call={call} />
      </Dialog>
    </Popover>
  </DialogTrigger>
)
