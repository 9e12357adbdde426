import { Copy } from 'lucide-react'
import { useState } from 'react'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Button, ButtonRow } from '../../kit/Button.tsx'
import { CodeBlock } from '../../kit/CodeBlock.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { Popover } from '../../kit/Popover.tsx'
import { ToggleGroup } from '../../kit/ToggleGroup.tsx'
import { curlCommand } from '../../service/requests.ts'
import { useSession } from '../../service/session.tsx'
import styles from './DataScreen.module.css'

interface RequestFormsProps {
  readonly title: string
  readonly headingLevel: 2 | 3
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
  const Title = `h${headingLevel}` as const
  const [form, setForm] = useState<Form>('curl')
  const texts: Readonly<Record<Form, () => string>> = {
    link: () => location.href,
    curl: () => curlCommand(path, token !== undefined),
    TypeScript: () => call,
  }
  return (
    <>
      <div className={styles.head}>
        <Title className={styles.title}>{title}</Title>
        <ToggleGroup label="Form" value={form} options={forms.map((name) => [name, name])} onChange={setForm} />
      </div>
      <CodeBlock isLong>{texts[form]()}</CodeBlock>
      <ButtonRow>
        <CopyButton label="Copy" text={texts[form]} />
      </ButtonRow>
    </>
  )
}

export const CopyAs = ({ path, call }: { readonly path: string; readonly call: string }) => (
  <Popover
    label="Copy this list as"
    width="wide"
    placement="bottom end"
    trigger={
      <Button kind="bare">
        <Icon of={Copy} />
        Copy as…
      </Button>
    }
  >
    <RequestForms title="Copy this list as" headingLevel={2} path={path} call={call} />
  </Popover>
)
