import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { employeeStatusLabel } from '../format/labels.ts'
import { formatInteger } from '../format/numbers.ts'
import { useList } from '../service/queries.ts'
import { Icon } from './Icon.tsx'
import styles from './PersonField.module.css'
import { PersonName, personName } from './PersonName.tsx'

interface FoundPerson {
  readonly id: number
  readonly first_name: string | null
  readonly last_name: string | null
  readonly designation: string | null
  readonly status: string | null
}

const minLength = 2
const delayMs = 150
const limit = 8

interface PersonFieldProps {
  readonly label: string
  readonly onChoose: (id: number) => void
}

/** Finds a person by name, title or number. */
export const PersonField = ({ label, onChoose }: PersonFieldProps) => {
  const [text, setText] = useState('')
  const [chosenName, setChosenName] = useState('')
  const query = useDelayed(text.trim())
  const isLongEnough = query.length >= minLength && query !== chosenName
  const found = useList<'employees', FoundPerson>(
    'employees',
    { q: query, fields: ['id', 'first_name', 'last_name', 'designation', 'status'], limit },
    { enabled: isLongEnough },
  )
  const people = isLongEnough ? (found.data?.data ?? []) : []
  const total = found.data?.meta.total ?? 0
  return (
    <ComboBox
      className={styles.box}
      aria-label={label}
      items={people}
      inputValue={text}
      onInputChange={setText}
      selectedKey={null}
      onSelectionChange={(key) => {
        if (key === null) return
        const person = people.find(({ id }) => id === key)
        const name = person === undefined ? '' : (personName(person) ?? `Employee ${person.id}`)
        setText(name)
        setChosenName(name)
        onChoose(Number(key))
      }}
      allowsEmptyCollection={text.trim().length >= minLength && text !== chosenName}
    >
      <div className={styles.field}>
        <Icon of={Search} size={14} />
        <Input className={styles.input} placeholder={label} />
      </div>
      <Popover className={styles.popover} placement="bottom end">
        <ListBox
          className={styles.list}
          renderEmptyState={() => (
            <p className={styles.note}>{isLongEnough && !found.isFetching ? 'Nobody found' : 'Searching …'}</p>
          )}
        >
          {({ id, first_name, last_name, designation, status }: FoundPerson) => (
            <ListBoxItem
              id={id}
              className={styles.item}
              textValue={personName({ id, first_name, last_name }) ?? String(id)}
            >
              <PersonName person={{ id, first_name, last_name }} isLink={false} />
              <span className={styles.role}>
                {[designation, status === null || status === 'active' ? null : employeeStatusLabel(status)]
                  .filter((part) => part !== null && part !== '')
                  .join(' · ')}
              </span>
            </ListBoxItem>
          )}
        </ListBox>
        {people.length > 0 && total > limit ? (
          <p className={styles.note}>{formatInteger(total)} people match. Type more to narrow them down.</p>
        ) : undefined}
      </Popover>
    </ComboBox>
  )
}

/** A request for each key press would be wasted. */
const useDelayed = (text: string): string => {
  const [delayed, setDelayed] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(text), delayMs)
    return () => clearTimeout(timer)
  }, [text])
  return delayed
}
