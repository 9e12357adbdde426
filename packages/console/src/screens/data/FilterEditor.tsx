import type { FilterOperator } from '@muster/model'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { Button, Heading, Input, Label, Radio, RadioGroup, TextField } from 'react-aria-components'
import buttonStyles from '../../components/Button.module.css'
import { FilterValues } from './FilterValues.tsx'
import type { FilterField } from './filters.ts'
import { activeFilters, withoutFilter } from './filters.ts'
import styles from './Popover.module.css'
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
      <Heading slot="title" level={2} className={styles.title}>
        {key}
      </Heading>
      <p className={styles.about}>
        {relation === undefined ? '' : `Of the related record in ${relation.field.name}. `}
        {about.replaceAll('`', '')}
      </p>
      {names.equals === undefined ? undefined : (
        <div className={styles.part}>
          {computed === undefined && field?.kind !== 'id' ? (
            <FilterValues filter={filter} />
          ) : (
            <ComputedEditor filter={filter} onDone={onDone} />
          )}
        </div>
      )}
      {names.from === undefined ? undefined : (
        <div className={styles.part}>
          <RangeEditor filter={filter} onDone={onDone} />
        </div>
      )}
      {names.is_null === undefined ? undefined : (
        <div className={styles.part}>
          <NullEditor parameter={names.is_null} value={current?.values.is_null} />
        </div>
      )}
      {current === undefined ? undefined : (
        <div className={styles.actions}>
          <Button
            className={buttonStyles.button}
            onPress={() => {
              changeList(withoutFilter(filter))
              onDone()
            }}
          >
            Remove this filter
          </Button>
        </div>
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
        aria-label={parameter}
        className={styles.choices}
        value={value ?? null}
        onChange={(next) => changeList({ [parameter]: next })}
      >
        {computed.values
          ?.filter((choice) => !(isWithheld && computed.personalValues?.includes(choice)))
          .map((choice) => (
            <RadioChoice key={choice} value={choice} label={choice} />
          ))}
      </RadioGroup>
    )
  const hints = { date: 'YYYY-MM-DD', id: 'Id', text: 'Text', choice: '' }
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
            value={texts[index] ?? ''}
            onChange={(text) => setTexts(texts.with(index, text))}
            autoFocus={index === 0}
          >
            <Label className={styles.label}>{label}</Label>
            <Input className={styles.input} placeholder={hint} />
          </TextField>
        ))}
      </div>
      <div className={styles.actions}>
        <Button type="submit" className={`${buttonStyles.button} ${buttonStyles.main}`}>
          Apply
        </Button>
      </div>
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
      aria-label="Records with null"
      value={value?.toLowerCase() ?? 'any'}
      onChange={(next) => changeList({ [parameter]: next === 'any' ? undefined : next })}
    >
      <RadioChoice value="any" label="With or without a value" />
      <RadioChoice value="true" label="Only null" />
      <RadioChoice value="false" label="Only with a value" />
    </RadioGroup>
  )
}

const RadioChoice = ({ value, label }: { readonly value: string; readonly label: string }) => (
  <Radio value={value} className={styles.choice}>
    <span className={`${styles.box} ${styles.round}`} />
    <span>{label}</span>
  </Radio>
)
