import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LocaleProvider } from '../src/kit/Locale.tsx'
import { parseSearch, stringifySearch } from '../src/search-parameters.ts'

const router = createRouter({
  routeTree: createRootRoute(),
  parseSearch,
  stringifySearch,
  history: createMemoryHistory({ initialEntries: ['/?offset=25'] }),
})

interface FrameProps {
  readonly direction: 'ltr' | 'rtl'
  readonly children: ReactNode
}

/** What the parts need around them: a router for links, and a language with its direction. */
export const Frame = ({ direction, children }: FrameProps) => (
  <RouterContextProvider router={router}>
    <LocaleProvider locale={direction === 'rtl' ? 'he-IL' : 'en'}>
      <div dir={direction}>{children}</div>
    </LocaleProvider>
  </RouterContextProvider>
)
