import { pageLimits, resourceAt } from '@muster/model'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { Button, ButtonRow } from '../../kit/Button.tsx'
import { Checkbox, Choices } from '../../kit/Checkbox.tsx'
import { TextField } from '../../kit/Field.tsx'
import { OptionList } from '../../kit/OptionList.tsx'
import { ToggleGroup } from '../../kit/ToggleGroup.tsx'
import { joinValues, splitValues } from '../../search-parameters.ts'
import type { FilterField } from './filters.ts'
import { takesSeveral, toggledValue } from './filters.ts'
import { omit, selection } from './list-query.ts'
import { lookupFields, numberedLabel, recordLabel } from './record-label.ts'
import { useGroups, useNames, useRows } from './requests.ts'
import { useExplorer } from './use-explorer.ts'

/** More values than this are not listed: the reader names one instead. */
const maxListed = pageLimits.maxLimit

/** Chooses values of a field. They are listed with the number of records that each of them has in the present list. */
export const FilterValues = ({ filter }: { readonly filter: FilterField }) => {
  const { resource, parameters, changeList } = useExplorer()
  const { key, field, parameters: names } = filter
  const [isNot, setIsNot] = useState(names.not !== undefined && parameters[names.not] !== undefined)
  const parameter = (isNot ? names.not : names.equals) as string
  const chosen = splitValues(parameters[parameter])
  const others = omit(selection(parameters), Object.values(names))

  // Other counts read all records of the list, so they wait until somebody asks for them.
  const isCheap = field?.state === true || field?.values !== undefined
  const [isCounted, setIsCounted] = useState(isCheap)
  const counts = useGroups(resource, key, { ...others, limit: String(maxListed) }, { enabled: isCounted })
  const groups = counts.data?.meta.groups ?? 0
  const isListed = counts.data !== undefined && groups <= maxListed
  const found = isListed
    ? counts.data.data.flatMap((group) => {
        const value = group[key]
        return value === null || value === undefined ? [] : [{ value: String(value), count: group.count }]
      })
    : []
  const values = [
    ...found.toSorted((a, b) => b.count - a.count),
    ...[...chosen, ...(field?.values ?? [])]
      .filter((value, index, all) => all.indexOf(value) === index)
      .filter((value) => !found.some((other) => other.value.toLowerCase() === value.toLowerCase()))
      .map((value) => ({ value, count: isListed ? 0 : undefined })),
  ]
  const target = field?.references?.resource
  const nameOf = useNames(
    target,
    values.map(({ value }) => value),
  )
  const isSelected = (value: string): boolean => chosen.some((other) => other.toLowerCase() === value.toLowerCase())
  const toggle = (value: string): void =>
    changeList({
      [parameter]: takesSeveral(filter)
        ? toggledValue(parameters[parameter], value)
        : isSelected(value)
          ? undefined
          : value,
    })

  return (
    <>
      {names.not === undefined ? undefined : (
        <ToggleGroup
          label="Comparison"
          value={isNot ? 'not' : 'is'}
          options={[
            ['is', 'is one of'],
            ['not', 'is none of'],
          ]}
          onChange={(comparison) => {
            const next = comparison === 'not'
            setIsNot(next)
            changeList({
              [names.equals as string]: next ? undefined : joinValues(chosen),
              [names.not as string]: next ? joinValues(chosen) : undefined,
            })
          }}
        />
      )}
      {values.length === 0 ? undefined : (
        <Choices label={`Values of ${key}`}>
          {values.map(({ value, count }) => (
            <Checkbox
              key={value}
              isSelected={isSelected(value)}
              onChange={() => toggle(value)}
              count={count === undefined ? undefined : formatInteger(count)}
            >
              <bdi title={value}>{nameOf.has(value) ? `${nameOf.get(value)} (${value})` : value}</bdi>
            </Checkbox>
          ))}
        </Choices>
      )}
      {isListed ? (
        <p className="note" role="status">
          {formatInteger(groups)} {plural(groups, 'value', 'values')}, counted just now:{' '}
          {formatInteger(counts.data.meta.total)}
        </p>
      ) : undefined}
      {groups > maxListed ? (
        <p className="note" role="status">
          {formatInteger(groups)} different values: name one.
        </p>
      ) : undefined}
      {counts.error === null ? undefined : (
        <p className="note" role="alert">
          The values could not be counted: {counts.error.message}
        </p>
      )}
      {isListed ? undefined : target === undefined ? (
        <ValueForm label={takesSeveral(filter) ? 'Add a value' : 'Value'} onValue={toggle} />
      ) : (
        <ReferenceSearch path={target} onChoose={toggle} />
      )}
      {isCounted ? undefined : (
        <ButtonRow>
          <Button onPress={() => setIsCounted(true)}>Count the values</Button>
        </ButtonRow>
      )}
    </>
  )
}

interface ValueFormProps {
  readonly label: string
  readonly onValue: (value: string) => void
}

const ValueForm = ({ label, onValue }: ValueFormProps) => {
  const [text, setText] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() === '') return
    onValue(text.trim())
    setText('')
  }
  return (
    <form onSubmit={submit}>
      <TextField label={`${label}, then Enter`} value={text} onChange={setText} />
    </form>
  )
}

interface ReferenceSearchProps {
  readonly path: string
  readonly onChoose: (id: string) => void
}

/** Finds a record by name or id. */
const ReferenceSearch = ({ path, onChoose }: ReferenceSearchProps) => {
  const resource = resourceAt(path)
  const [text, setText] = useState('')
  const isId = /^\d+$/.test(text.trim())
  const { data } = useRows(
    resource,
    {
      ...(isId ? { id: text.trim() } : { q: text.trim() }),
      fields: lookupFields(resource).join(','),
      limit: '8',
    },
    { enabled: isId || text.trim().length >= 3 },
  )
  const rows = text.trim() === '' ? [] : (data?.data ?? [])
  return (
    <OptionList
      label={`Found ${resource.titles}`}
      searchLabel={`Find a ${resource.title} by name (3 letters or more) or id`}
      search={{ text, onChange: setText }}
      groups={[
        {
          options: rows.map((row) => {
            const label = recordLabel(resource, row)
            return {
              id: String(row.id),
              text: label ?? String(row.id),
              label: (
                <>
                  <bdi>{label?.slice(0, 200) ?? numberedLabel(resource, row.id)}</bdi>{' '}
                  <span className="muted number">{row.id}</span>
                </>
              ),
            }
          }),
        },
      ]}
      onChoose={onChoose}
    />
  )
}
