import type { Candidate, Employee } from '@muster/client'
import { daysBetween } from '@muster/model'
import type { ReactNode } from 'react'
import { EmailText } from '../../components/EmailText.tsx'
import { Fact, FactList } from '../../components/FactList.tsx'
import { PageLink } from '../../components/PageLink.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { Withheld } from '../../components/Withheld.tsx'
import { formatDay } from '../../format/dates.ts'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatDecimal, formatInteger } from '../../format/numbers.ts'
import { Section } from '../../kit/Section.tsx'
import { useDepartmentNames } from '../../service/use-department-names.ts'

export type FullCandidate = Candidate & { readonly referrer: Employee | null }

interface CandidateFactsProps {
  readonly candidate: FullCandidate
  readonly asOf: string
  readonly isWithheld: boolean
}

export const CandidateFacts = ({ candidate, asOf, isWithheld }: CandidateFactsProps) => {
  const personal = (value: string | null): ReactNode => {
    if (value !== null && value !== '') return <bdi>{value}</bdi>
    return isWithheld ? <Withheld /> : none
  }
  const { years_experience: years, linkedin_url: profile, consent_at: consent, created, referrer } = candidate
  return (
    <>
      <Section title="About">
        <FactList layout="lines">
          <Fact label="Current title">{candidate.current_title ?? none}</Fact>
          <Fact label="Employer">{personal(candidate.current_employer)}</Fact>
          <Fact label="Experience">
            {years === null ? none : `${formatDecimal(years)} ${plural(years, 'year', 'years')}`}
          </Fact>
          <Fact label="E-mail">
            {candidate.email === null ? personal(null) : <EmailText email={candidate.email} />}
          </Fact>
          <Fact label="Phone">{personal(candidate.phone)}</Fact>
          <Fact label="LinkedIn">
            {profile !== null && /^https?:\/\//.test(profile) ? (
              <PageLink href={profile}>
                <bdi>{profile.split('/').findLast(Boolean)}</bdi>
              </PageLink>
            ) : (
              personal(profile)
            )}
          </Fact>
        </FactList>
      </Section>
      <Section title="Source and consent">
        <FactList layout="lines">
          <Fact label="Source">{candidate.source === null ? none : valueLabel(candidate.source)}</Fact>
          <Fact label="Referred by" remark={referrer === null ? undefined : <ReferrerFacts referrer={referrer} />}>
            {referrer === null ? none : <PersonName person={referrer} />}
          </Fact>
          <Fact label="Consent" remark={consent === null ? undefined : agoText(consent.slice(0, 10), asOf)}>
            {consent === null ? <span className="muted">none recorded</span> : formatDay(consent.slice(0, 10))}
          </Fact>
          <Fact label="Recorded">{created === null ? none : formatDay(created.slice(0, 10))}</Fact>
        </FactList>
      </Section>
    </>
  )
}

const none = <span className="muted">none</span>

const ReferrerFacts = ({ referrer: { designation, dept_id } }: { readonly referrer: Employee }) => {
  const departments = useDepartmentNames()
  return [designation, departments?.get(String(dept_id))].filter(Boolean).join(', ')
}

const agoText = (day: string, asOf: string): string => {
  const days = daysBetween(day, asOf)
  if (days === 0) return 'today'
  return days < 0 ? '' : `${formatInteger(days)} ${plural(days, 'day', 'days')} ago`
}
