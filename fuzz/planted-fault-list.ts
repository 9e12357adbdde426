/** In charge of the faults that are planted: one change to one file each, and the check that must catch it. */

export interface PlantedFault {
  readonly about: string
  readonly file: string
  readonly from: string
  readonly to: string
  /** Name of the check that must be among those that catch it. */
  readonly check: string
}

export const plantedFaults: readonly PlantedFault[] = [
  {
    about: 'a wrong nullability: the description says that the reason of a leave request is never null',
    file: 'model/src/derive/json-schema.ts',
    from: 'type: orNull(typeOf(field), !field.required),',
    to: "type: orNull(typeOf(field), !field.required && field.name !== 'reason'),",
    check: 'body schema',
  },
  {
    about: 'an undeclared status: a long page answers 206',
    file: 'service/src/http/fresh-answers.ts',
    from: 'withFields(reply, fields).send(body)',
    to: 'withFields(reply.code(body.length > 2_000 ? 206 : 200), fields).send(body)',
    check: 'status declared',
  },
  {
    about: 'a leaked field: records carry a property of the database',
    file: 'service/src/http/answers.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a piece of source
    from: '`{"data":[${records}]',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a piece of source
    to: '`{"data":[${records.replaceAll(\'{"id":\', \'{"search_text":"x","id":\')}]',
    check: 'no undeclared key',
  },
  {
    about: 'an accepted unknown property: where its value is null',
    file: 'model/src/create-body.ts',
    from: 'if (!declared.has(name)) faults.push(',
    to: 'if (!declared.has(name) && given !== null) faults.push(',
    check: 'status expected',
  },
  {
    about: 'a 500 on U+0000: the text goes to the database as it is',
    file: 'model/src/value.ts',
    from: "value.isWellFormed() && !value.includes('\\u0000')",
    to: 'value.isWellFormed()',
    check: 'no server error',
  },
  {
    about: 'a refused create that leaves its record behind',
    file: 'service/src/operations/create.ts',
    from: 'const clashes = await clashFaults(database, resource, complete).catch(noneWhileAway)',
    to: `if (faults.every(({ type }) => type === 'extra_forbidden')) await database.write(insertStatement(resource, complete, origin))
    const clashes = await clashFaults(database, resource, complete).catch(noneWhileAway)`,
    check: 'nothing left behind',
  },
  {
    about: 'a text that is changed on the way: composed characters',
    file: 'model/src/value.ts',
    from: "if (field.kind === 'json') return judgeJson(value)\n  return { stored: value }",
    to: "if (field.kind === 'json') return judgeJson(value)\n  return { stored: value.normalize('NFC') }",
    check: 'kept exactly',
  },
  {
    about: 'pages that are ordered within and not among themselves',
    file: 'service/src/operations/list.ts',
    from: 'order by id limit $1 offset $2',
    to: 'order by id % 7, id limit $1 offset $2',
    check: 'paging',
  },
]
