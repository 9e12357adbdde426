import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

interface NavigationAnchorProps extends ComponentProps<'a'> {
  /** `page`: the entry of the open screen. `section`: an entry above it. */
  readonly mark: 'page' | 'section' | undefined
}

const NavigationAnchor = ({ mark, children, ...props }: NavigationAnchorProps) => (
  // The router marks links by comparing URLs, and also during the load of another screen. Its marks are replaced.
  <a {...props} data-status={undefined} aria-current={mark === 'section' ? 'true' : mark}>
    {children}
  </a>
)

/** An entry of the navigation. */
export const NavigationLink = createLink(NavigationAnchor)
