/**
 * A pool of names as text. The names are separated by spaces, and `_` stands for a space within a name. `name=ascii`
 * adds a spelling of the name in ASCII letters. `male/female` is a family name that differs for men and women.
 */
export interface PoolText {
  readonly female: string
  readonly male: string
  readonly family: string
}
