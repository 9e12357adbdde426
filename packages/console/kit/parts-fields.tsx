import { CornerDownRight, Eye } from 'lucide-react'
import { useState } from 'react'
import { Checkbox, Choices, RadioGroup, Switch } from '../src/kit/Checkbox.tsx'
import { ComboBox } from '../src/kit/ComboBox.tsx'
import { BareSearch, CommandField, SearchField, TextField } from '../src/kit/Field.tsx'
import { IconToggle } from '../src/kit/IconButton.tsx'
import { OptionList } from '../src/kit/OptionList.tsx'
import { Select } from '../src/kit/Select.tsx'

const people = [
  { id: 1, name: 'Ada Ács', role: 'Engineer' },
  { id: 2, name: 'עדה כהן', role: 'מהנדסת' },
  { id: 3, name: 'Zoë Ærø', role: 'Recruiter' },
]

export const Fields = () => {
  const [term, setTerm] = useState('')
  const [row, setRow] = useState('')
  return (
    <>
      <TextField label="Token" type="password" defaultValue="secret" />
      <TextField
        label="With a problem"
        defaultValue="x"
        problem="The service does not accept this token."
        button={<IconToggle icon={Eye} label="Show" isSelected={false} onChange={() => {}} />}
      />
      <TextField label="From" labelPlace="start" type="date" max="2026-11-13" />
      <BareSearch label="Search: Office" />
      <SearchField label="Search people" placeholder="Name, title, number" value={term} onChange={setTerm} />
      <CommandField
        label="Go to row"
        icon={CornerDownRight}
        inputMode="numeric"
        onSubmit={(text) => {
          const isNumber = /^\d+$/.test(text)
          if (isNumber) setRow(text)
          return isNumber
        }}
      />
      <p role="status">
        Searched: {term}. Row: {row}.
      </p>
    </>
  )
}

const offices = ['Berlin', 'Bengaluru', 'תל אביב'].map((label) => ({ id: label.toLowerCase(), label }))
const departments = Array.from({ length: 30 }, (_, index) => ({ id: String(index), label: `Department ${index}` }))
const periods = [
  { id: '12', label: '12 months', remark: 'Dec 2025 to Nov 2026' },
  { id: '24', label: '24 months', remark: 'Dec 2024 to Nov 2026' },
]

export const Selects = () => {
  const [office, setOffice] = useState('berlin')
  const [department, setDepartment] = useState('0')
  const [period, setPeriod] = useState('12')
  return (
    <>
      <Select label="Office" value={office} options={offices} onChange={setOffice} isSet={office !== 'berlin'} />
      <Select label="Department" value={department} options={departments} onChange={setDepartment} kind="bare" />
      <Select
        label="Period"
        value={period}
        options={periods}
        onChange={setPeriod}
        text="The last months"
        kind="field"
      />
      <Select label="Place" value="berlin" options={offices} onChange={() => {}} isSet />
      <p role="status">
        {office}, {department}, {period}
      </p>
    </>
  )
}

export const ComboBoxes = () => {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState('')
  return (
    <>
      <ComboBox
        label="Find a person"
        text={text}
        onTextChange={setText}
        items={
          text === '' || text === chosen
            ? []
            : people.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
        }
        keyOf={({ id }) => id}
        textOf={({ name }) => name}
        onChoose={({ name }) => {
          setText(name)
          setChosen(name)
        }}
        isOpenWithoutItems={text.length > 1 && text !== chosen}
        empty="Nobody found"
        note="2,000 people match. Type more to narrow them down."
      >
        {({ name, role }) => (
          <>
            <bdi>{name}</bdi>
            <span className="muted">{role}</span>
          </>
        )}
      </ComboBox>
      <p role="status">Chosen: {chosen}</p>
    </>
  )
}

export const OptionLists = () => {
  const [chosen, setChosen] = useState('')
  return (
    <>
      <OptionList
        label="Filters"
        searchLabel="Filter by"
        placeholder="Name of a field"
        groups={[
          {
            title: 'By a field',
            options: [{ id: 'status', text: 'status', label: 'status', detail: 'Of the person' }],
          },
          { title: 'By a rule', options: [{ id: 'reached', text: 'reached', label: 'reached' }] },
        ]}
        onChoose={setChosen}
        empty="No filter has this name."
      />
      <p role="status">Chosen: {chosen}</p>
    </>
  )
}

export const Checkboxes = () => {
  const [isOn, setIsOn] = useState(false)
  const [stage, setStage] = useState<string>()
  const [usesKeys, setUsesKeys] = useState(true)
  return (
    <>
      <Choices label="Columns">
        <Checkbox isSelected={isOn} onChange={setIsOn} count="1,204">
          Active
        </Checkbox>
        <Checkbox isSelected isDisabled>
          Id
        </Checkbox>
      </Choices>
      <RadioGroup
        label="Stage"
        value={stage}
        options={[
          ['applied', 'applied'],
          ['interview', 'interview'],
        ]}
        onChange={setStage}
      />
      <Switch isSelected={usesKeys} onChange={setUsesKeys}>
        Use single-key shortcuts
      </Switch>
      <p role="status">
        {String(isOn)}, {stage ?? 'none'}, {String(usesKeys)}
      </p>
    </>
  )
}
