import { date, id, integer, state, text, timestamp } from '../schema/field.ts'
import type { Resource } from '../schema/resource.ts'
import { resource, trackedFields } from '../schema/resource.ts'

/** Declares the recorded changes of the tracked fields. Triggers write them; no request and no import of records does. */
export const declareHistory = (tracked: readonly Resource[]): Resource =>
  resource({
    path: 'history',
    table: 'history',
    schema: 'HistoryEntry',
    operationSingular: 'HistoryEntry',
    operationPlural: 'History',
    title: 'history entry',
    titles: 'history entries',
    area: 'History',
    about: 'Recorded changes of tracked fields: what a record was before.',
    naturalKey: ['id'],
    // Millions of short rows, read by filters: the stored texts would double the size of the table.
    storedTexts: { record: false, search: false },
    fields: {
      // The changes of one field of a record are in the order of (on, id).
      id: id(),
      resource: state('Resource of the record, as in its URL.', { values: tracked.map(({ path }) => path) }),
      record_id: integer('Id of the record.', { required: true, filter: true }),
      field: state('Field that changed.', {
        values: [...new Set(tracked.flatMap(trackedFields).map(({ name }) => name))],
      }),
      old: text('Value before the change, as text; null if there was none.', { filter: true }),
      new: text('Value after the change, as text; null if there is none.', { filter: true }),
      on: date('Day of the change: the new value holds from this day on.', { required: true }),
      since: date('Day on which the old value began, if the record had it: the `stage_entered_on` before the change.'),
      at: timestamp('When the change was recorded.', { required: true }),
    },
  })
