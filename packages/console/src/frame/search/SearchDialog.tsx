import { listedResources } from '@muster/model'
import { LockKeyhole, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { Dialog } from '../../kit/Dialog.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { Palette } from '../../kit/Palette.tsx'
import { useAsOf } from '../../service/use-as-of.ts'
import { useDepartmentNames } from '../../service/use-department-names.ts'
import { useIsWithheld } from '../../service/use-is-withheld.ts'
import { closeDialog, openDialog } from '../dialogs.ts'
import { useIsTokenNeeded } from '../frame-queries.ts'
import { findDestinations, searchable } from './destinations.ts'
import { findFilteredScreens, mayNameFilter } from './filtered-screens.ts'
import { ResultLinks } from './ResultLinks.tsx'
import styles from './SearchDialog.module.css'
import { destinationGroup, listGroup, recordGroups, targetGroup } from './SearchGroups.tsx'
import { SearchStatus } from './SearchStatus.tsx'
import type { ScreenTarget } from './screen-targets.ts'
import { collectScreenTargets, findScreenTargets } from './screen-targets.ts'
import { minimumLength, useSearchResults } from './use-search-results.ts'
import { useSearchText } from './use-search-text.ts'

/** Finds people, jobs and candidates at once, and screens, resources and parts of the open screen by their names. */
export const SearchDialog = () => {
  const [text, setText] = useSearchText()
  const [targets] = useState(collectScreenTargets)
  const isTokenNeeded = useIsTokenNeeded()
  const results = useSearchResults(text, !isTokenNeeded)
  const { query, request } = results
  const isWithheld = useIsWithheld() === true
  const departments = useDepartmentNames(!isTokenNeeded && mayNameFilter(text))
  const asOf = useAsOf()
  return (
    <Dialog kind="own" label="Search" className={styles.modal} onClose={closeDialog}>
      <ResultLinks>
        <Palette
          label="Search"
          placeholder="People, jobs, candidates"
          text={text}
          onTextChange={setText}
          onKeyDown={openFirst}
          hint={
            <kbd className="only-wide" aria-hidden>
              Esc
            </kbd>
          }
          aside={<IconButton icon={X} slot="close" className={`${styles.close} only-phone`} label="Close" />}
          note={
            <>
              {isWithheld || isTokenNeeded ? (
                <p className={styles.withheld}>
                  <Icon of={LockKeyhole} size={13} />
                  <span>
                    {isWithheld
                      ? 'Names are withheld and cannot be searched. Search by title, number or office.'
                      : 'People, jobs and candidates cannot be searched without a token.'}
                  </span>
                  <button type="button" className="link" onClick={() => openDialog('token')}>
                    Enter a token
                  </button>
                </p>
              ) : undefined}
              <SearchStatus results={results} text={text} />
            </>
          }
          resultsLabel="Results"
          empty={
            text.trim().length < minimumLength ? (
              <p className={styles.empty}>Type at least {minimumLength} characters.</p>
            ) : undefined
          }
        >
          {destinationGroup(
            [
              ...findDestinations(text, listedResources),
              ...findFilteredScreens(text, departments ?? new Map<string, string>(), asOf),
            ],
            text,
          )}
          {text.trim().length < minimumLength
            ? undefined
            : targetGroup(findScreenTargets(text, targets), text, pressTarget)}
          {query === undefined || request.data === undefined
            ? undefined
            : [...recordGroups(request.data, query, isWithheld), listGroup(searchable(listedResources), query)]}
        </Palette>
      </ResultLinks>
      <footer className={`${styles.foot} only-wide`}>
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> move
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
        <span>
          <kbd>Esc</kbd> close
        </span>
        <span className={styles.ranking}>Ranked by name, then still here</span>
      </footer>
    </Dialog>
  )
}

/** Enter opens the first result if none has the focus yet, as after a text that was typed before the search appeared. */
const openFirst = ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void => {
  if (key !== 'Enter' || currentTarget.hasAttribute('aria-activedescendant')) return
  currentTarget.closest('[role=dialog]')?.querySelector<HTMLElement>('[role=option]')?.click()
}

/**
 * Presses a part of the screen. When the dialog is removed, it asks for the next frame, in which it gives the focus back.
 * What is asked for after that runs in the same frame, but later.
 */
const pressTarget = ({ element }: ScreenTarget): void => {
  flushSync(closeDialog)
  requestAnimationFrame(() => {
    element.focus()
    element.click()
  })
}
