import type { ReactNode } from 'react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { classes } from './classes.ts'
import styles from './ToggleGroup.module.css'

interface ToggleGroupProps<Id extends string> {
  readonly label: string
  readonly value: Id
  /** Ids and texts, in their order. */
  readonly options: readonly (readonly [id: Id, text: ReactNode])[]
  readonly onChange: (id: Id) => void
  readonly className?: string | undefined
}

/** A choice of one of a few values that are all in view. */
export const ToggleGroup = <Id extends string>({
  label,
  value,
  options,
  onChange,
  className,
}: ToggleGroupProps<Id>) => (
  <ToggleButtonGroup
    className={classes(styles.group, className)}
    aria-label={label}
    selectionMode="single"
    disallowEmptySelection
    selectedKeys={[value]}
    onSelectionChange={([id]) => onChange(id as Id)}
  >
    {options.map(([id, text]) => (
      <ToggleButton key={id} id={id}>
        {text}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
)

interface LinkGroupProps {
  readonly label: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** The same look for links: forms of a screen that have URLs of their own. */
export const LinkGroup = ({ label, className, children }: LinkGroupProps) => (
  <nav className={classes(styles.group, className)} aria-label={label}>
    {children}
  </nav>
)
