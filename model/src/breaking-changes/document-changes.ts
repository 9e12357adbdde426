/** In charge of finding what in a new description would break a client written for the published one. */
import type {
  Content,
  Header,
  Method,
  OpenapiDocument,
  Operation,
  Parameter,
  RequestBody,
  Response,
  Schema,
} from '../derive/document.ts'
import { SchemaComparison } from './schema-changes.ts'

/** One sentence for each breaking change; none where every client goes on working. */
export const breakingChanges = (before: OpenapiDocument, after: OpenapiDocument): string[] => {
  const comparison = new DocumentComparison(before, after)
  return [...new Set([...baseChanges(before, after), ...comparison.operationChanges(), ...schemaNames(before, after)])]
}

const baseChanges = (before: OpenapiDocument, after: OpenapiDocument): string[] => {
  const [old, now] = [before.servers[0]?.url, after.servers[0]?.url]
  return old === now ? [] : [`The base address changed from ${old} to ${now}`]
}

/** Clients made by a generator name their types after the schemas. */
const schemaNames = (before: OpenapiDocument, after: OpenapiDocument): string[] =>
  Object.keys(before.components.schemas)
    .filter((name) => after.components.schemas[name] === undefined)
    .map((name) => `No schema is called ${name} any more`)

class DocumentComparison {
  readonly #before: OpenapiDocument
  readonly #after: OpenapiDocument
  readonly #schemas: SchemaComparison

  constructor(before: OpenapiDocument, after: OpenapiDocument) {
    this.#before = before
    this.#after = after
    this.#schemas = new SchemaComparison(before, after)
  }

  operationChanges(): string[] {
    return Object.entries(this.#before.paths).flatMap(([path, item]) =>
      (Object.entries(item) as [Method, Operation][]).flatMap(([method, old]) => {
        const address = `${method.toUpperCase()} ${path}`
        const now = this.#after.paths[path]?.[method]
        return now === undefined ? [`${address} is gone`] : this.#changes(address, old, now)
      }),
    )
  }

  #changes(address: string, old: Operation, now: Operation): string[] {
    const name = old.operationId
    return [
      ...(name === now.operationId ? [] : [`${address} is now called ${now.operationId} instead of ${name}`]),
      ...securityChanges(name, old, now),
      ...this.#parameterChanges(name, old.parameters ?? [], now.parameters ?? []),
      ...this.#bodyChanges(name, old.requestBody, now.requestBody),
      ...this.#answerChanges(address, old, now),
    ]
  }

  #parameterChanges(name: string, old: readonly Parameter[], now: readonly Parameter[]): string[] {
    const twin = (among: readonly Parameter[], parameter: Parameter) =>
      among.find((other) => other.name === parameter.name && other.in === parameter.in)
    return [
      ...old.flatMap((parameter) => {
        const after = twin(now, parameter)
        if (after === undefined) return [`${name} no longer takes the parameter ${parameter.name}`]
        const what = `parameter ${parameter.name} of ${name}`
        return this.#schemas.changes(what, 'request', { before: parameter.schema, after: after.schema })
      }),
      ...now
        .filter((parameter) => parameter.required && twin(old, parameter)?.required !== true)
        .map((parameter) => `${name} now requires the parameter ${parameter.name}`),
    ]
  }

  #bodyChanges(name: string, old: RequestBody | undefined, now: RequestBody | undefined): string[] {
    if (now?.required && !old?.required) return [`${name} now requires a body`]
    if (old === undefined) return []
    if (now === undefined) return [`${name} no longer takes a body`]
    return this.#contentChanges(old.content, now.content, {
      gone: (type) => `${name} no longer takes ${type}`,
      changed: (before, after) => this.#schemas.changes(name, 'request', { before, after }),
    })
  }

  #answerChanges(address: string, old: Operation, now: Operation): string[] {
    return Object.entries(old.responses).flatMap(([status, response]) => {
      const after = now.responses[status]
      if (after === undefined) return [`${address} no longer answers ${status}`]
      return this.#responseChanges(
        `${status} of ${old.operationId}`,
        resolvedResponse(response, this.#before),
        resolvedResponse(after, this.#after),
      )
    })
  }

  #responseChanges(what: string, old: Response, now: Response): string[] {
    return [
      ...Object.entries(old.headers ?? {}).flatMap(([name, header]) =>
        this.#headerChanges(what, name, { before: header, after: now.headers?.[name] }),
      ),
      ...this.#contentChanges(old.content ?? {}, now.content ?? {}, {
        gone: (type) => `${what} is no longer answered as ${type}`,
        changed: (before, after) => this.#schemas.changes(`the body of ${what}`, 'answer', { before, after }),
      }),
    ]
  }

  #headerChanges(what: string, name: string, sides: { before: Header; after: Header | undefined }): string[] {
    if (sides.after === undefined) return [`${what} no longer carries ${name}`]
    const before = resolvedHeader(sides.before, this.#before)
    const after = resolvedHeader(sides.after, this.#after)
    const schemas = { before: before.schema ?? {}, after: after.schema ?? {} }
    return [
      ...(before.required && !after.required ? [`${what} may now lack ${name}`] : []),
      ...this.#schemas.changes(`${name} in ${what}`, 'answer', schemas),
    ]
  }

  #contentChanges(
    old: Content,
    now: Content,
    { gone, changed }: { gone: (type: string) => string; changed: (before: Schema, after: Schema) => string[] },
  ): string[] {
    return Object.entries(old).flatMap(([type, { schema }]) => {
      const after = now[type]
      return after === undefined ? [gone(type)] : changed(schema, after.schema)
    })
  }
}

const securityChanges = (name: string, old: Operation, now: Operation): string[] => {
  const isOpen = ({ security }: Operation) =>
    security.length === 0 || security.some((schemes) => Object.keys(schemes).length === 0)
  if (isOpen(old) && !isOpen(now)) return [`${name} now needs credentials`]
  const schemesOf = ({ security }: Operation) => security.flatMap((schemes) => Object.keys(schemes))
  const missing = schemesOf(old).filter((scheme) => !isOpen(now) && !schemesOf(now).includes(scheme))
  return missing.map((scheme) => `${name} no longer takes the credentials ${scheme}`)
}

const lastName = (ref: string): string => ref.split('/').at(-1) ?? ''

const resolvedResponse = (response: Response, { components }: OpenapiDocument): Response =>
  response.$ref === undefined ? response : (components.responses[lastName(response.$ref)] ?? {})

const resolvedHeader = (header: Header, { components }: OpenapiDocument): Header =>
  header.$ref === undefined ? header : (components.headers[lastName(header.$ref)] ?? {})
