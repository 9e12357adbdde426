import { lazy, Suspense } from 'react'
import { useOpenDialog } from './dialogs.ts'
import { loadSearchDialog } from './search/load.ts'
import { EarlyText } from './search/use-search-text.ts'

const dialogs = {
  search: lazy(() => loadSearchDialog().then(({ SearchDialog }) => ({ default: SearchDialog }))),
  token: lazy(() => import('./TokenDialog.tsx').then(({ TokenDialog }) => ({ default: TokenDialog }))),
  keys: lazy(() => import('./KeysDialog.tsx').then(({ KeysDialog }) => ({ default: KeysDialog }))),
}

/** The dialog that is open. Its code is loaded when it is opened for the first time. */
export const Dialogs = () => {
  const name = useOpenDialog()
  if (name === undefined) return undefined
  const OpenDialog = dialogs[name]
  return (
    <Suspense fallback={name === 'search' ? <EarlyText /> : undefined}>
      <OpenDialog />
    </Suspense>
  )
}
