import type { FilterOperator } from '@muster/model'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { Button, ButtonRow } from '../../kit/Button.tsx'
import { RadioGroup } from '../../kit/Checkbox.tsx'
import { TextField } from '../../kit/Field.tsx'
import { PopoverPart, PopoverText, PopoverTitle } from '../../kit/Popover.tsx'
import styles from './DataScreen.module.css'
import { FilterValues } from './FilterValues.tsx'
import type { FilterField } from './filters.ts'
import { activeFilters, withoutFilter } from './filters.ts'
import { useExplorer } from './use-explorer.ts'

interface FilterEditorProps {
  readonly filter: FilterField
  readonly onDone: () => void
}

/** Everything by which the list can be filtered with this field. Changes apply at once; texts apply with Enter. */
export const FilterEditor = ({ filter, onDone }: FilterEditorProps) => {
  const { resource, parameters, changeList } = useExplorer()
  const { key, about, field, relation, computed, parameters: names } = filter
  const current = activeFilters(resource, parameters).active.find((other) => other.filter.key === key)
  return (
    <>
      <PopoverTitle>{key}</PopoverTitle>
      <PopoverText>
        {relation === undefined ? '' : `Of the related record in ${relation.field.name}. `}
        {about.replaceAll('`', '')}
      </PopoverText>
      {names.equals === undefined ? undefined : (
        <PopoverPart>
          {computed === undefined && field?.kind !== 'id' ? (
            <FilterValues filter={filter} />
          ) : (
            <ComputedEditor filter={filter} onDone={onDone} />
          )}
        </PopoverPart>
      )}
      {names.from === undefined ? undefined : (
        <PopoverPart>
          <RangeEditor filter={filter} onDone={onDone} />
        </PopoverPart>
      )}
      {names.is_null === undefined ? undefined : (
        <PopoverPart>
          <NullEditor parameter={names.is_null} value={current?.values.is_null} />
        </PopoverPart>
      )}
      {current === undefined ? undefined : (
        <ButtonRow>
          <Button
            onPress={() => {
              changeList(withoutFilter(filter))
              onDone()
            }}
          >
            Remove this filter
          </Button>
        </ButtonRow>
      )}
    </>
  )
}

/** One value: a day, an id, a text, or one of a few choices. */
const ComputedEditor = ({ filter, onDone }: FilterEditorProps) => {
  const { parameters, changeList, isWithheld } = useExplorer()
  const parameter = filter.parameters.equals as string
  const { computed } = filter
  const value = parameters[parameter]
  if (computed?.kind === 'choice')
    return (
      <RadioGroup
        label={parameter}
        value={value}
        options={(computed.values ?? [])
          .filter((choice) => !(isWithheld && computed.personalValues?.includes(choice)))
          .map((choice) => [choice, choice])}
        onChange={(next) => changeList({ [parameter]: next })}
      />
    )
  const hints = { date: 'YYYY-MM-DD', 'month-day': 'MM-DD', id: 'Id', text: 'Text', choice: '' }
  return (
    <TextForm
      fields={[
        {
          parameter,
          label: computed === undefined ? 'Ids, separated by commas' : hints[computed.kind],
          value,
          hint: computed?.kind === 'date' ? 'YYYY-MM-DD' : '',
        },
      ]}
      onDone={onDone}
    />
  )
}

const RangeEditor = ({ filter, onDone }: FilterEditorProps) => {
  const { parameters } = useExplorer()
  const hint = filter.field?.kind === 'number' ? '' : 'YYYY-MM-DD'
  const tests: readonly FilterOperator[] = ['from', 'to']
  return (
    <TextForm
      fields={tests.map((test) => ({
        parameter: filter.parameters[test] as string,
        label: test === 'from' ? 'From, included' : 'To, included',
        value: parameters[filter.parameters[test] as string],
        hint,
      }))}
      onDone={onDone}
    />
  )
}

interface TextFormProps {
  readonly fields: readonly {
    readonly parameter: string
    readonly label: string
    readonly value: string | undefined
    readonly hint: string
  }[]
  readonly onDone: () => void
}

const TextForm = ({ fields, onDone }: TextFormProps) => {
  const { changeList } = useExplorer()
  const [texts, setTexts] = useState(() => fields.map(({ value }) => value ?? ''))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    changeList(Object.fromEntries(fields.map(({ parameter }, index) => [parameter, texts[index]?.trim() || undefined])))
    onDone()
  }
  return (
    <form onSubmit={submit}>
      <div className={fields.length > 1 ? styles.fields : undefined}>
        {fields.map(({ parameter, label, hint }, index) => (
          <TextField
            key={parameter}
            label={label}
            placeholder={hint}
            value={texts[index] ?? ''}
            onChange={(text) => setTexts(texts.with(index, text))}
            autoFocus={index === 0}
          />
        ))}
      </div>
      <ButtonRow>
        <Button type="submit" kind="main">
          Apply
        </Button>
      </ButtonRow>
    </form>
  )
}

interface NullEditorProps {
  readonly parameter: string
  readonly value: string | undefined
}

const NullEditor = ({ parameter, value }: NullEditorProps) => {
  const { changeList } = useExplorer()
  return (
    <RadioGroup
      label="Records with null"
      value={value?.toLowerCase() ?? 'any'}
      options={[
        ['any', 'With or without a value'],
        ['true', 'Only null'],
        ['false', 'Only with a value'],
      ]}
      onChange={(next) => changeList({ [parameter]: next === 'any' ? undefined : next })}
    />
  )
}
