/** JobPosting of schema.org, as search engines read it, from the posting that the page shows. */
import type { PostingProperty } from '@muster/model'
import type { Posting, Site } from '../postings/posting.ts'
import { brandOf } from '../postings/posting.ts'
import { applyLink } from '../postings/settings.ts'
import { imageUrl } from '../urls.ts'
import { parsePlace } from './countries.ts'
import { formatText, ownValue, payOf } from './formats.ts'
import type { Html } from './html.ts'
import { html, scriptJson } from './html.ts'

const employmentTypes: Readonly<Record<string, string>> = {
  full_time: 'FULL_TIME',
  part_time: 'PART_TIME',
  contract: 'CONTRACTOR',
  intern: 'INTERN',
}

/** Undefined if a required property is missing or nobody can apply: search engines then show no listing. */
export const structuredDataOf = (site: Site, posting: Posting): Html | undefined => {
  const data = jobPostingOf(site, posting)
  return data === undefined ? undefined : html`<script type="application/ld+json">${scriptJson(data)}</script>\n`
}

/** The properties that a posting lacks for search engines; empty if it has all. */
export const missingProperties = (site: Pick<Site, 'brands'>, posting: Posting): readonly PostingProperty[] => {
  const settings = brandOf(site, posting)?.settings
  const { code, jobId: id, locale } = posting
  const canApply =
    settings?.applyEmail !== undefined ||
    (settings?.applyUrl !== undefined && applyLink(settings.applyUrl, { code, id, locale }) !== undefined)
  const has: Readonly<Record<PostingProperty, boolean>> = {
    title: posting.title.trim() !== '',
    description: descriptionOf(posting) !== '',
    datePosted: posting.postedAt !== undefined,
    jobLocation: parsePlace(posting.location) !== undefined,
    apply: canApply,
  }
  return (Object.keys(has) as PostingProperty[]).filter((name) => !has[name])
}

export const jobPostingOf = (site: Site, posting: Posting): object | undefined => {
  if (missingProperties(site, posting).length > 0) return undefined
  const { postedAt, endsAt, employmentType, code } = posting
  const brand = brandOf(site, posting)
  const logo = imageUrl(brand?.logoUrl ?? site.logoUrl)
  const organization = brand?.name ?? site.name
  const pay = payOf(posting, brand)
  return {
    '@context': 'https://schema.org/',
    '@type': 'JobPosting',
    title: posting.title,
    description: descriptionOf(posting),
    datePosted: postedAt?.slice(0, 10),
    ...(endsAt === undefined ? {} : { validThrough: endsAt }),
    hiringOrganization: {
      '@type': 'Organization',
      name: organization,
      ...(logo === undefined ? {} : { logo: logo.href }),
    },
    ...placeOf(posting),
    ...(employmentType === undefined ? {} : { employmentType: ownValue(employmentTypes, employmentType) ?? 'OTHER' }),
    ...(pay === undefined
      ? {}
      : {
          baseSalary: {
            '@type': 'MonetaryAmount',
            currency: pay.currency,
            value: { '@type': 'QuantitativeValue', ...amounts(pay), unitText: 'YEAR' },
          },
        }),
    ...(code === undefined ? {} : { identifier: { '@type': 'PropertyValue', name: organization, value: code } }),
    directApply: false,
  }
}

const amounts = ({ min, max }: { min: number | undefined; max: number | undefined }): object =>
  min !== undefined && max !== undefined && min !== max ? { minValue: min, maxValue: max } : { value: min ?? max }

/** Work that is only remote has no place; the country of the posting then says where applicants may live. */
const placeOf = ({ location, remotePolicy }: Posting): object => {
  const place = parsePlace(location)
  if (place === undefined) return {}
  const { country, locality } = place
  if (remotePolicy === 'remote')
    return {
      jobLocationType: 'TELECOMMUTE',
      applicantLocationRequirements: { '@type': 'Country', name: country },
    }
  const address = {
    '@type': 'PostalAddress',
    ...(locality === undefined ? {} : { addressLocality: locality }),
    addressCountry: country,
  }
  return { jobLocation: { '@type': 'Place', address } }
}

/** HTML, as the definition of the property asks for. */
const descriptionOf = ({ description, requirements }: Posting): string =>
  [description, requirements]
    .flatMap((text) => (text === undefined ? [] : formatText(text)))
    .map(({ text }) => text)
    .join('')
