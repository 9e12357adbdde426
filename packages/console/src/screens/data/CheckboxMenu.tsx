import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Checkbox, Choices } from '../../kit/Checkbox.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { Popover, PopoverText } from '../../kit/Popover.tsx'

interface CheckboxMenuProps {
  readonly title: string
  readonly icon: LucideIcon
  readonly about: string
  readonly choices: readonly { readonly name: string; readonly label?: string; readonly about?: string }[]
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
    <Popover
      title={title}
      width="small"
      placement="bottom end"
      trigger={
        <Button kind="bare">
          <Icon of={icon} />
          {title} {chosen.length === 0 ? undefined : <span className="number muted">{chosen.length}</span>}
        </Button>
      }
    >
      <PopoverText>{about}</PopoverText>
      <Choices label={title}>
        {choices.map(({ name, label = name, about: explanation }) => {
          const isChosen = chosen.includes(name)
          return (
            <Checkbox
              key={name}
              isSelected={isChosen}
              isDisabled={isChosen && chosen.length <= least}
              onChange={() => onToggle(name)}
            >
              <span title={explanation}>{label}</span>
            </Checkbox>
          )
        })}
      </Choices>
      {children}
    </Popover>
  )
}
