import { useEffect, useState } from 'react'
import { employeeStatusLabel } from '../format/labels.ts'
import { formatInteger } from '../format/numbers.ts'
import { personName } from '../format/person-name.ts'
import { ComboBox } from '../kit/ComboBox.tsx'
import { useList } from '../service/queries.ts'
import { PersonName } from './PersonName.tsx'

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
  const found = useList(
    'employees',
    { q: query, fields: ['id', 'first_name', 'last_name', 'designation', 'status'], limit },
    { enabled: isLongEnough },
  )
  const people = isLongEnough ? (found.data?.data ?? []) : []
  const total = found.data?.meta.total ?? 0
  return (
    <ComboBox
      label={label}
      text={text}
      onTextChange={setText}
      items={people}
      keyOf={({ id }) => id}
      textOf={nameOf}
      onChoose={(person) => {
        setText(nameOf(person))
        setChosenName(nameOf(person))
        onChoose(person.id)
      }}
      isOpenWithoutItems={text.trim().length >= minLength && text !== chosenName}
      empty={isLongEnough && !found.isFetching ? 'No people found' : 'Searching …'}
      note={
        people.length > 0 && total > limit
          ? `${formatInteger(total)} people match. Type more to narrow them down.`
          : undefined
      }
    >
      {({ id, first_name, last_name, designation, status }) => (
        <>
          <PersonName person={{ id, first_name, last_name }} isLink={false} />
          <span className="note">
            {[designation, status === null || status === 'active' ? null : employeeStatusLabel(status)]
              .filter((part) => part !== null && part !== '')
              .join(' · ')}
          </span>
        </>
      )}
    </ComboBox>
  )
}

const nameOf = (person: FoundPerson): string => personName(person) ?? `Employee ${person.id}`

/** A request for each key press would be wasted. */
const useDelayed = (text: string): string => {
  const [delayed, setDelayed] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(text), delayMs)
    return () => clearTimeout(timer)
  }, [text])
  return delayed
}
