import type { NamedField } from '@muster/model'
import { resourceAt } from '@muster/model'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Button, Disclosure, DisclosurePanel, Heading, ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import buttonStyles from '../../components/Button.module.css'
import { CopyButton } from '../../components/CopyButton.tsx'
import { dataLocation } from '../../components/data-links.ts'
import { Icon } from '../../components/Icon.tsx'
import { personName } from '../../components/PersonName.tsx'
import { Section } from '../../components/Section.tsx'
import { Withheld } from '../../components/Withheld.tsx'
import { curlCommand, listPath } from '../../service/requests.ts'
import { useSession } from '../../service/session.tsx'
import styles from './AllFields.module.css'
import type { FullPerson } from './full-person.ts'

/** Fields that are shown only on request, so that they are not read over somebody's shoulder. */
const foldedNames: readonly string[] = ['base_salary', 'gender', 'probation_end']

const fields = resourceAt('employees').allFields
const openFields = fields.filter(({ name }) => !foldedNames.includes(name))
const foldedFields = fields.filter(({ name }) => foldedNames.includes(name))

interface AllFieldsProps {
  readonly person: FullPerson
  readonly isWithheld: boolean
}

type Form = 'fields' | 'json' | 'curl'

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
      aside={
        <ToggleButtonGroup
          className={`${buttonStyles.group} ${styles.forms}`}
          aria-label="Show as"
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[form]}
          onSelectionChange={([key]) => setForm(key as Form)}
        >
          <ToggleButton id="fields">Fields</ToggleButton>
          <ToggleButton id="json">JSON</ToggleButton>
          <ToggleButton id="curl">curl</ToggleButton>
        </ToggleButtonGroup>
      }
    >
      {form === 'fields' ? (
        <>
          <FieldList of={openFields} person={person} isWithheld={isWithheld} />
          <Disclosure className={styles.folded}>
            <Heading level={3}>
              <Button slot="trigger" className={styles.trigger}>
                <Icon of={ChevronRight} size={13} /> Pay, gender, probation{' '}
                <span className="muted">{foldedFields.length} fields, hidden</span>
              </Button>
            </Heading>
            <DisclosurePanel>
              <FieldList of={foldedFields} person={person} isWithheld={isWithheld} />
            </DisclosurePanel>
          </Disclosure>
        </>
      ) : (
        <>
          <pre className={styles.code}>{text}</pre>
          <CopyButton label={form === 'json' ? 'Copy JSON' : 'Copy curl'} text={() => text} />
        </>
      )}
    </Section>
  )
}

interface FieldListProps extends AllFieldsProps {
  readonly of: readonly NamedField[]
}

const FieldList = ({ of: shown, person, isWithheld }: FieldListProps) => (
  <dl className={styles.fields}>
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
    case 'candidate_id':
      return (
        <Link className="link" {...dataLocation(listPath(field.references?.resource ?? '', { id: Number(value) }))}>
          {value} <bdi>{field.name === 'dept_id' ? person.department?.name : ''}</bdi>
        </Link>
      )
    case 'email': {
      const text = String(value)
      const at = Math.max(0, text.lastIndexOf('@'))
      return (
        <bdi>
          {text.slice(0, at)}
          <wbr />
          {text.slice(at)}
        </bdi>
      )
    }
    default:
      return <bdi>{value}</bdi>
  }
}
