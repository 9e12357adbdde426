/** How `GET /v1/search` finds, orders and shows the records of a resource. */
export interface SearchDeclaration {
  /**
   * The fields of the name, in the order in which people write it. The beginning of the name finds the record, and so does
   * that of the fields in reverse order.
   */
  readonly name: readonly string[]
  /** Other texts by which people know a record, such as its number. */
  readonly codes: readonly string[]
  /** Records with one of these values are over. They come after the others that match as well. */
  readonly ended: Readonly<Record<string, readonly (string | number)[]>>
  /** The fields of a result: what tells namesakes apart. */
  readonly fields: readonly string[]
  readonly related: readonly SearchRelation[]
}

/** A related record in a result. */
export interface SearchRelation {
  readonly name: string
  readonly about: string
  /** Path of the related resource. */
  readonly resource: string
  /** The reference of the record to the related one; with `latest`, that of the related record to this one. */
  readonly by: string
  /** Of the records that refer to this one, the one with the latest date in this field is shown. */
  readonly latest?: string
  readonly fields: readonly string[]
  readonly related?: readonly SearchRelation[]
}
