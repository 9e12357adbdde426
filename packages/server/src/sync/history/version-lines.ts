/** The lines of a job-history export, declared as a resource, so that the readers of sync read them. */
import type { Field, NamedField, Resource } from '@muster/model'
import { date, resource, trackedFields } from '@muster/model'

/** One line per version of a record: its key, the day on which the version began, and its tracked fields. */
export const versionLines = (record: Resource): Resource => {
  const names = new Set(['id', ...record.naturalKey, ...trackedFields(record).map(({ name }) => name)])
  const recordFields = record.storedFields.filter(({ name }) => names.has(name))
  return resource({
    path: record.path,
    // Staging takes defaults for empty cells from this table. The history has none: an empty status is an error.
    table: 'history',
    schema: record.schema,
    operationSingular: record.operationSingular,
    operationPlural: record.operationPlural,
    title: `version of a record of ${record.titles}`,
    titles: `versions of ${record.titles}`,
    area: 'History',
    about: `Versions of ${record.titles}.`,
    naturalKey: record.naturalKey,
    ...(record.personOf === undefined || !names.has(record.personOf) ? {} : { personOf: record.personOf }),
    fields: {
      ...Object.fromEntries(recordFields.map((field) => [field.name, lineField(field)])),
      on: date('Day on which the version began.', { required: true }),
    },
  })
}

/** Only what readers and validation need: creates, defaults, filters and the order of dates do not apply to versions. */
const lineField = ({
  kind,
  about,
  required,
  personal,
  maxLength,
  notBlank,
  state,
  values,
  references,
}: NamedField): Field => ({
  kind,
  about,
  required,
  personal,
  create: 'never',
  filter: false,
  ...(maxLength === undefined ? {} : { maxLength }),
  ...(notBlank === undefined ? {} : { notBlank }),
  ...(state === undefined ? {} : { state }),
  ...(values === undefined ? {} : { values }),
  ...(references === undefined ? {} : { references: { resource: references.resource } }),
})
