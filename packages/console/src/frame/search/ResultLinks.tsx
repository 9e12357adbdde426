import type { NavigateOptions } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PaletteLinks } from '../../kit/Palette.tsx'
import { parseSearch } from '../../search-parameters.ts'
import { closeDialog } from '../dialogs.ts'

/** Lets results be links: with Ctrl they open in a new tab, otherwise by the router, which closes the dialog. */
export const ResultLinks = ({ children }: { readonly children: ReactNode }) => {
  const router = useRouter()
  return (
    <PaletteLinks
      navigate={(path) => {
        closeDialog()
        void router.navigate(locationOf(path))
      }}
      hrefOf={(path) => router.buildLocation(locationOf(path)).href}
    >
      {children}
    </PaletteLinks>
  )
}

/** Converts a path of the console, such as `/data/jobs?q=ux`, to a location of the router. */
const locationOf = (path: string): NavigateOptions => {
  const [to = '', search = ''] = path.split('?')
  return { to, search: parseSearch(search) } as NavigateOptions
}
