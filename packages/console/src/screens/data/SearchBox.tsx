import { maxSearchLength } from '@muster/model'
import { useCallback } from 'react'
import { SearchField } from '../../kit/Field.tsx'
import styles from './DataScreen.module.css'
import { useExplorer } from './use-explorer.ts'

export const SearchBox = () => {
  const { resource, search, isWithheld, changeList } = useExplorer()
  const { q = '' } = search
  const setTerm = useCallback(
    (text: string) => changeList({ q: text || undefined }, { replace: q !== '' }),
    [changeList, q],
  )
  const fields = resource.searchableFields.filter(({ personal }) => !(personal && isWithheld))
  return fields.length === 0 ? undefined : (
    <SearchField
      className={styles.search}
      label={`Search ${resource.titles} by ${fields.map(({ name }) => name).join(', ')}`}
      placeholder="Search"
      value={q}
      maxLength={maxSearchLength}
      onChange={setTerm}
    />
  )
}
