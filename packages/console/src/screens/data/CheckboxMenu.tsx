import type { LucideIcon } from 'lucide-react'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, Checkbox, Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components'
import buttonStyles from '../../components/Button.module.css'
import { Icon } from '../../components/Icon.tsx'
import styles from './Popover.module.css'

interface CheckboxMenuProps {
  readonly title: string
  readonly icon: LucideIcon
  readonly about: string
  readonly choices: readonly { readonly name: string; readonly about?: string }[]
  readonly chosen: readonly string[]
  /** At least this many stay chosen. */
  readonly least?: number
  readonly onToggle: (name: string) => void
  /** Below the choices. */
  readonly children?: ReactNode
}

/** A button that opens a list of checkboxes. */
export const CheckboxMenu = (props: CheckboxMenuProps) => {
  const { title, icon, about, choices, chosen, least = 0, onToggle, children } = props
  return (
    <DialogTrigger>
      <Button className={`${buttonStyles.button} ${buttonStyles.bare}`}>
        <Icon of={icon} />
        {title} {chosen.length === 0 ? undefined : <span className="number muted">{chosen.length}</span>}
      </Button>
      <Popover className={styles.popover} placement="bottom end">
        <Dialog className={styles.dialog}>
          <Heading slot="title" level={2} className={styles.title}>
            {title}
          </Heading>
          <p className={styles.about}>{about}</p>
          <div className={styles.choices}>
            {choices.map((choice) => {
              const isChosen = chosen.includes(choice.name)
              return (
                <Checkbox
                  key={choice.name}
                  className={styles.choice}
                  isSelected={isChosen}
                  isDisabled={isChosen && chosen.length <= least}
                  onChange={() => onToggle(choice.name)}
                >
                  <span className={styles.box}>{isChosen ? <Icon of={Check} size={11} /> : undefined}</span>
                  <span title={choice.about}>{choice.name}</span>
                </Checkbox>
              )
            })}
          </div>
          {children}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
