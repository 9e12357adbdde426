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
} from '../openapi/document.ts'
import { SchemaComparison } from './schema-changes.ts'

/** Returns one sentence for each change between two OpenAPI documents that can break a client written for `before`. */
export const breakingChanges = (before: OpenapiDocument, after: OpenapiDocument): string[] => {
  const comparison = new DocumentComparison(before, after)
  return [
    ...new Set([...baseUrlChanges(before, after), ...comparison.operationChanges(), ...removedSchemas(before, after)]),
  ]
}

const baseUrlChanges = (before: OpenapiDocument, after: OpenapiDocument): string[] => {
  const [oldUrl, newUrl] = [before.servers[0]?.url, after.servers[0]?.url]
  return oldUrl === newUrl ? [] : [`The base URL changed from ${oldUrl} to ${newUrl}`]
}

/** Removing a schema breaks generated clients, which name their types after the schemas. */
const removedSchemas = (before: OpenapiDocument, after: OpenapiDocument): string[] =>
  Object.keys(before.components.schemas)
    .filter((name) => after.components.schemas[name] === undefined)
    .map((name) => `Schema ${name} was removed`)

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
      (Object.entries(item) as [Method, Operation][]).flatMap(([method, oldOperation]) => {
        const route = `${method.toUpperCase()} ${path}`
        const newOperation = this.#after.paths[path]?.[method]
        return newOperation === undefined ? [`${route} was removed`] : this.#changes(route, oldOperation, newOperation)
      }),
    )
  }

  #changes(route: string, oldOperation: Operation, newOperation: Operation): string[] {
    const operationId = oldOperation.operationId
    return [
      ...(operationId === newOperation.operationId
        ? []
        : [`${route} was renamed from ${operationId} to ${newOperation.operationId}`]),
      ...securityChanges(operationId, oldOperation, newOperation),
      ...this.#parameterChanges(operationId, oldOperation.parameters ?? [], newOperation.parameters ?? []),
      ...this.#bodyChanges(operationId, oldOperation.requestBody, newOperation.requestBody),
      ...this.#responseListChanges(route, oldOperation, newOperation),
    ]
  }

  #parameterChanges(
    operationId: string,
    oldParameters: readonly Parameter[],
    newParameters: readonly Parameter[],
  ): string[] {
    const findCounterpart = (parameters: readonly Parameter[], parameter: Parameter) =>
      parameters.find((other) => other.name === parameter.name && other.in === parameter.in)
    return [
      ...oldParameters.flatMap((parameter) => {
        const newParameter = findCounterpart(newParameters, parameter)
        if (newParameter === undefined) return [`${operationId} no longer accepts the parameter ${parameter.name}`]
        const subject = `parameter ${parameter.name} of ${operationId}`
        return this.#schemas.changes(subject, 'request', {
          before: parameter.schema,
          after: acceptedBy(parameter, newParameter),
        })
      }),
      ...newParameters
        .filter((parameter) => parameter.required && findCounterpart(oldParameters, parameter)?.required !== true)
        .map((parameter) => `${operationId} now requires the parameter ${parameter.name}`),
    ]
  }

  #bodyChanges(operationId: string, oldBody: RequestBody | undefined, newBody: RequestBody | undefined): string[] {
    if (newBody?.required && !oldBody?.required) return [`${operationId} now requires a body`]
    if (oldBody === undefined) return []
    if (newBody === undefined) return [`${operationId} no longer accepts a body`]
    return this.#contentChanges(oldBody.content, newBody.content, {
      describeRemoval: (mediaType) => `${operationId} no longer accepts ${mediaType}`,
      compareSchemas: (before, after) => this.#schemas.changes(operationId, 'request', { before, after }),
    })
  }

  #responseListChanges(route: string, oldOperation: Operation, newOperation: Operation): string[] {
    return Object.entries(oldOperation.responses).flatMap(([status, response]) => {
      const newResponse = newOperation.responses[status]
      if (newResponse === undefined) return [`${route} no longer returns ${status}`]
      return this.#responseChanges(
        `${status} of ${oldOperation.operationId}`,
        resolveResponse(response, this.#before),
        resolveResponse(newResponse, this.#after),
      )
    })
  }

  #responseChanges(subject: string, oldResponse: Response, newResponse: Response): string[] {
    return [
      ...Object.entries(oldResponse.headers ?? {}).flatMap(([name, header]) =>
        this.#headerChanges(subject, name, { before: header, after: newResponse.headers?.[name] }),
      ),
      ...this.#contentChanges(oldResponse.content ?? {}, newResponse.content ?? {}, {
        describeRemoval: (mediaType) => `${subject} is no longer available as ${mediaType}`,
        compareSchemas: (before, after) =>
          this.#schemas.changes(`the body of ${subject}`, 'response', { before, after }),
      }),
    ]
  }

  #headerChanges(subject: string, name: string, headers: { before: Header; after: Header | undefined }): string[] {
    if (headers.after === undefined) return [`${subject} no longer has the header ${name}`]
    const before = resolveHeader(headers.before, this.#before)
    const after = resolveHeader(headers.after, this.#after)
    const schemas = { before: before.schema ?? {}, after: after.schema ?? {} }
    return [
      ...(before.required && !after.required ? [`${subject} may now omit the header ${name}`] : []),
      ...this.#schemas.changes(`${name} in ${subject}`, 'response', schemas),
    ]
  }

  #contentChanges(
    oldContent: Content,
    newContent: Content,
    {
      describeRemoval,
      compareSchemas,
    }: { describeRemoval: (mediaType: string) => string; compareSchemas: (before: Schema, after: Schema) => string[] },
  ): string[] {
    return Object.entries(oldContent).flatMap(([mediaType, { schema }]) => {
      const newMedia = newContent[mediaType]
      return newMedia === undefined ? [describeRemoval(mediaType)] : compareSchemas(schema, newMedia.schema)
    })
  }
}

/**
 * What a client of the earlier parameter may still send. A number is also a comma-separated list of one. A text is not:
 * its commas would separate values.
 */
const acceptedBy = (before: Parameter, { schema, style, explode }: Parameter): Schema => {
  const isNumber = before.schema.type === 'integer' || before.schema.type === 'number'
  const isCommaSeparated = schema.type === 'array' && style === 'form' && explode === false
  return isNumber && isCommaSeparated ? (schema.items ?? {}) : schema
}

const securityChanges = (operationId: string, oldOperation: Operation, newOperation: Operation): string[] => {
  const allowsAnonymous = ({ security }: Operation) =>
    security.length === 0 || security.some((schemes) => Object.keys(schemes).length === 0)
  if (allowsAnonymous(oldOperation) && !allowsAnonymous(newOperation))
    return [`${operationId} now requires authentication`]
  const schemesOf = ({ security }: Operation) => security.flatMap((schemes) => Object.keys(schemes))
  const removedSchemes = schemesOf(oldOperation).filter(
    (scheme) => !allowsAnonymous(newOperation) && !schemesOf(newOperation).includes(scheme),
  )
  return removedSchemes.map((scheme) => `${operationId} no longer accepts the security scheme ${scheme}`)
}

const refName = (ref: string): string => ref.split('/').at(-1) ?? ''

const resolveResponse = (response: Response, { components }: OpenapiDocument): Response =>
  response.$ref === undefined ? response : (components.responses[refName(response.$ref)] ?? {})

const resolveHeader = (header: Header, { components }: OpenapiDocument): Header =>
  header.$ref === undefined ? header : (components.headers[refName(header.$ref)] ?? {})
