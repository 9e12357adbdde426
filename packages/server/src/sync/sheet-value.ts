/** A cell of an Excel sheet that is not text. */
export class SheetValue {
  readonly kind: 'number' | 'percentage' | 'date' | 'boolean' | 'problem'
  /** The text for messages, and for fields that are text. */
  readonly text: string
  /** Why the cell cannot be read, or cannot be read as text. */
  readonly problem: string | undefined

  constructor(kind: SheetValue['kind'], text: string, problem?: string) {
    this.kind = kind
    this.text = text
    this.problem = problem
  }
}
