/** Types for the parts of OpenAPI 3.1 that this API uses. */

export type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null'

export interface Schema {
  readonly $ref?: string
  readonly type?: SchemaType | readonly SchemaType[]
  readonly format?: string
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly contentMediaType?: string
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: true
  readonly anyOf?: readonly Schema[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly examples?: readonly unknown[]
}

export interface NamedExample {
  readonly summary: string
  readonly value: unknown
}

export interface MediaType {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, NamedExample>>
}

export type Content = Readonly<Record<string, MediaType>>

export interface Header {
  readonly $ref?: string
  readonly description?: string
  readonly required?: boolean
  readonly schema?: Schema
}

export interface Link {
  readonly operationId: string
  readonly parameters: Readonly<Record<string, string>>
  readonly description: string
}

export interface Response {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Content
  readonly links?: Readonly<Record<string, Link>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
  /** `form` with `explode: false` means one parameter with comma-separated values. */
  readonly style?: 'form'
  readonly explode?: false
}

export interface RequestBody {
  readonly required: boolean
  readonly description: string
  readonly content: Content
}

export type Security = readonly Readonly<Record<string, readonly string[]>>[]

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: Security
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, Response>>
}

export type Method = 'get' | 'post'
export type PathItem = Readonly<Partial<Record<Method, Operation>>>

export interface Tag {
  readonly name: string
  readonly description: string
}

export interface SecurityScheme {
  readonly type: 'http'
  readonly scheme: 'bearer'
  readonly description: string
}

export interface Components {
  readonly schemas: Readonly<Record<string, Schema>>
  readonly responses: Readonly<Record<string, Response>>
  readonly headers: Readonly<Record<string, Header>>
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
}

export interface OpenapiDocument {
  readonly openapi: string
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly Tag[]
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[]
  readonly security: Security
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: Components
}

export const jsonMedia = 'application/json'

export const queryParameter = (name: string, description: string, schema: Schema): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
})

export const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
export const headerRef = (name: string): Header => ({ $ref: `#/components/headers/${name}` })
