import { maxSearchLength } from '@muster/model'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Icon } from '../../components/Icon.tsx'
import styles from './DataScreen.module.css'
import { useExplorer } from './use-explorer.ts'

/** The search waits until the reader pauses. */
const pauseMs = 300

export const SearchBox = () => {
  const { resource, search, isWithheld, changeList } = useExplorer()
  const { q = '' } = search
  const [text, setText] = useState(q)
  useEffect(() => setText(q), [q])
  useEffect(() => {
    if (text.trim() === q) return
    const timer = setTimeout(() => changeList({ q: text.trim() || undefined }, { replace: q !== '' }), pauseMs)
    return () => clearTimeout(timer)
  }, [text, q, changeList])
  const fields = resource.searchableFields.filter(({ personal }) => !(personal && isWithheld))
  if (fields.length === 0) return undefined
  return (
    <search className={styles.field}>
      <Icon of={Search} size={13} />
      <input
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        maxLength={maxSearchLength}
        placeholder="Search"
        aria-label={`Search ${resource.titles} by ${fields.map(({ name }) => name).join(', ')}`}
      />
    </search>
  )
}
