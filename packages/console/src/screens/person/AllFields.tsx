import type { NamedField } from '@muster/model'
import { resourceAt } from '@muster/model'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CopyButton } from '../../components/CopyButton.tsx'
import { dataLocation } from '../../components/data-links.ts'
import { EmailText } from '../../components/EmailText.tsx'
import { Withheld } from '../../components/Withheld.tsx'
import { personName } from '../../format/person-name.ts'
import { ButtonRow } from '../../kit/Button.tsx'
import { CodeBlock } from '../../kit/CodeBlock.tsx'
import { Disclosure } from '../../kit/Disclosure.tsx'
import { Section } from '../../kit/Section.tsx'
import { ToggleGroup } from '../../kit/ToggleGroup.tsx'
import { curlCommand, listPath } from '../../service/requests.ts'
import { useSession } from '../../service/session.tsx'
import type { FullPerson } from './full-person.ts'
import styles from './PersonScreen.module.css'

/** Fields that are shown only on request, so that they are not read over somebody's shoulder. */
const foldedNames: readonly string[] = ['base_salary', 'gender', 'probation_end']

const fields = resourceAt('employees').allFields
const openFields = fields.filter(({ name }) => !foldedNames.includes(name))
const foldedFields = fields.filter(({ name }) => foldedNames.includes(name))

interface AllFieldsProps {
  readonly person: FullPerson
  readonly isWithheld: boolean
}

const forms = [
  ['fields', 'Fields'],
  ['json', 'JSON'],
  ['curl', 'curl'],
] as const
type Form = (typeof forms)[number][0]

/** The record of a person: its fields, the response of the service, or the request. */
export const AllFields = ({ person, isWithheld }: AllFieldsProps) => {
  const { token } = useSession()
  const [form, setForm] = useState<Form>('fields')
  const text =
    form === 'json'
      ? JSON.stringify(Object.fromEntries(fields.map(({ name }) => [name, person[name as keyof FullPerson]])), null, 2)
      : curlCommand(`/api/v1/employees/${person.id}`, token !== undefined)
  return (
    <Section
      title="All fields"
      aside={<ToggleGroup className={styles.forms} label="Show as" value={form} options={forms} onChange={setForm} />}
    >
      {form === 'fields' ? (
        <>
          <FieldList of={openFields} person={person} isWithheld={isWithheld} />
          <Disclosure
            className={styles.folded}
            title="Pay, gender, probation"
            remark={`${foldedFields.length} fields, hidden`}
          >
            <FieldList of={foldedFields} person={person} isWithheld={isWithheld} />
          </Disclosure>
        </>
      ) : (
        <>
          <CodeBlock isLong>{text}</CodeBlock>
          <ButtonRow>
            <CopyButton label={form === 'json' ? 'Copy JSON' : 'Copy curl'} text={() => text} />
          </ButtonRow>
        </>
      )}
    </Section>
  )
}

interface FieldListProps extends AllFieldsProps {
  readonly of: readonly NamedField[]
}

const FieldList = ({ of: shown, person, isWithheld }: FieldListProps) => (
  <dl>
    {shown.map((field) => (
      <div key={field.name} className={styles.field}>
        <dt>
          <code>{field.name}</code>
        </dt>
        <dd>
          <FieldValue field={field} person={person} isWithheld={isWithheld} />
        </dd>
      </div>
    ))}
  </dl>
)

const FieldValue = ({ field, person, isWithheld }: AllFieldsProps & { readonly field: NamedField }) => {
  const value = person[field.name as keyof FullPerson] as string | number | null
  if (value === null) return isWithheld && field.personal ? <Withheld /> : <span className="muted">null</span>
  switch (field.name) {
    case 'manager_id':
      return (
        <Link className="link" to="/people/$id" params={{ id: String(value) }}>
          {value} <bdi>{person.manager === null ? '' : personName(person.manager)}</bdi>
        </Link>
      )
    case 'dept_id':
      return (
        <Link className="link" {...dataLocation(listPath('departments', { id: Number(value) }))}>
          {value} <bdi>{person.department?.name}</bdi>
        </Link>
      )
    case 'candidate_id':
      return (
        <Link className="link" to="/hiring/candidates/$id" params={{ id: String(value) }}>
          {value}
        </Link>
      )
    case 'email':
      return <EmailText email={String(value)} />
    default:
      return <bdi>{value}</bdi>
  }
}
