/**
 * Loaded before a test file (`node --import`), this makes the process one in which some resources do not store their texts.
 * `SEEDED_CHANGES` has the SQL that changes the tables.
 */
import assert from 'node:assert/strict'
import { resourceAt, resources, storageMigration, storageOf } from '@muster/model'

const stored = storageOf(resources)
for (const path of (process.env.WITHOUT_STORED_TEXTS ?? '').split(','))
  Object.assign(resourceAt(path), { storedTexts: { record: false, search: false } })
const change = storageMigration(stored, storageOf(resources))
process.env.SEEDED_CHANGES = change.kind === 'migration' ? change.migration.sql : assert.fail(change.kind)
