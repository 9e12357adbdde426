import type { ReactElement, ReactNode } from 'react'
import type { PopoverProps as AriaPopoverProps } from 'react-aria-components'
import { Popover as AriaPopover, Dialog, DialogTrigger, Heading } from 'react-aria-components'
import { classes } from './classes.ts'
import styles from './Popover.module.css'

interface PopoverProps {
  /** The button that opens it. */
  readonly trigger: ReactElement
  /** A visible heading, or the name for screen readers if the content begins with one of its own. */
  readonly title?: string
  readonly label?: string
  /** `small` 20 rem, `medium` 27 rem, `wide` 32 rem. Default: as its content, or as `className` says. */
  readonly width?: 'small' | 'medium' | 'wide'
  /** `none`: the content has lines that reach to the edges. */
  readonly padding?: 'normal' | 'tight' | 'none'
  readonly placement?: AriaPopoverProps['placement']
  readonly offset?: number
  readonly className?: string | undefined
  readonly onOpenChange?: (isOpen: boolean) => void
  readonly children: ReactNode | ((close: () => void) => ReactNode)
}

/** A button and what it opens beside itself. On phones that is a sheet at the bottom of the window. */
export const Popover = (props: PopoverProps) => {
  const { trigger, title, label, width, padding = 'normal', placement = 'bottom start', offset, children } = props
  return (
    <DialogTrigger onOpenChange={props.onOpenChange}>
      {trigger}
      <AriaPopover
        className={classes(styles.popover, width && styles[width], props.className)}
        placement={placement}
        offset={offset}
      >
        <Dialog className={classes(styles.content, styles[padding])} aria-label={label}>
          {({ close }) => (
            <>
              {title === undefined ? undefined : <PopoverTitle>{title}</PopoverTitle>}
              {typeof children === 'function' ? children(close) : children}
            </>
          )}
        </Dialog>
      </AriaPopover>
    </DialogTrigger>
  )
}

/** For content that has different titles one after the other. */
export const PopoverTitle = ({ children }: { readonly children: ReactNode }) => (
  <Heading slot="title" level={2} className={styles.title}>
    {children}
  </Heading>
)

/** One of several parts below each other. */
export const PopoverPart = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.part}>{children}</div>
)

/** What the popover is about. */
export const PopoverText = ({ children }: { readonly children: ReactNode }) => (
  <p className={styles.about}>{children}</p>
)
