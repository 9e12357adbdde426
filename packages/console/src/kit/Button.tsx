import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import type { ButtonProps as AriaButtonProps } from 'react-aria-components'
import { Button as AriaButton } from 'react-aria-components'
import styles from './Button.module.css'
import { classes } from './classes.ts'

interface ButtonLook {
  /**
   * `main`: the one action that a dialog is for. `bare`: without a border. `split`: the second part of the button before
   * it. `quiet`: small, beside a text. `more`: shows the rest of a list. `choice`: a line of a menu. `own`: only the class.
   */
  readonly kind?: 'plain' | 'main' | 'bare' | 'split' | 'quiet' | 'more' | 'choice' | 'own'
  readonly className?: string | undefined
}

const classOf = ({ kind = 'plain', className }: ButtonLook): string => {
  if (kind === 'own') return classes(className)
  if (kind === 'quiet' || kind === 'more' || kind === 'choice') return classes(styles[kind], className)
  return classes(styles.button, kind !== 'plain' && styles[kind], className)
}

type ButtonProps = ButtonLook & Omit<AriaButtonProps, 'className' | 'children'> & { readonly children?: ReactNode }

export const Button = ({ kind, className, ...props }: ButtonProps) => (
  <AriaButton {...props} className={classOf({ kind, className })} />
)

type ButtonAnchorProps = ButtonLook & Omit<ComponentProps<'a'>, 'className'>

/** A link to something that is no screen, such as a file. It looks like a button. */
export const ButtonAnchor = ({ kind, className, children, ...props }: ButtonAnchorProps) => (
  <a {...props} className={classOf({ kind, className })}>
    {children}
  </a>
)

/** A link of the router that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor)

interface ButtonRowProps {
  readonly isAtEnd?: boolean
  readonly children: ReactNode
}

/** The actions below a text or a form. */
export const ButtonRow = ({ isAtEnd = false, children }: ButtonRowProps) => (
  <div className={classes(styles.row, isAtEnd && styles.atEnd)}>{children}</div>
)
