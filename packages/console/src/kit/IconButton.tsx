import { createLink } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { ButtonProps as AriaButtonProps } from 'react-aria-components'
import { Button as AriaButton, ToggleButton } from 'react-aria-components'
import { classes } from './classes.ts'
import { Icon } from './Icon.tsx'
import styles from './IconButton.module.css'

interface IconLook {
  readonly icon: LucideIcon
  /** What the icon says: the name of the button. The buttons of a calendar get theirs from it. */
  readonly label?: string
  readonly size?: number
  readonly className?: string | undefined
}

type IconButtonProps = IconLook & Omit<AriaButtonProps, 'className' | 'children' | 'aria-label'>

export const IconButton = ({ icon, label, size, className, ...props }: IconButtonProps) => (
  <AriaButton {...props} className={classes(styles.icon, className)} aria-label={label}>
    <Icon of={icon} size={size} />
  </AriaButton>
)

interface IconToggleProps extends IconLook {
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
}

export const IconToggle = ({ icon, label, size, className, ...props }: IconToggleProps) => (
  <ToggleButton {...props} className={classes(styles.icon, className)} aria-label={label}>
    <Icon of={icon} size={size} />
  </ToggleButton>
)

type IconAnchorProps = IconLook & Omit<ComponentProps<'a'>, 'className' | 'children' | 'aria-label'>

const IconAnchor = ({ icon, label, size, className, href, ...props }: IconAnchorProps) => (
  <a {...props} href={href} className={classes(styles.icon, className)} aria-label={label}>
    <Icon of={icon} size={size} />
  </a>
)

/** A link of the router that looks like an icon button. */
export const IconLink = createLink(IconAnchor)
