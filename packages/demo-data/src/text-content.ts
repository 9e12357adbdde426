import type { NamedField } from '@muster/model'
import { maxLengths } from '@muster/model'

export type TextContent = 'email' | 'phone' | 'host' | 'word' | 'person' | 'title' | 'prose'

/** Tells from the name and the length of a text field what kind of text it holds. */
export function textContent({ name, maxLength = maxLengths.text, personal }: NamedField): TextContent {
  if (/(^|_)email$/.test(name)) return 'email'
  if (/(^|_)phone$/.test(name)) return 'phone'
  if (maxLength === maxLengths.url) return 'host'
  if (maxLength <= maxLengths.word) return 'word'
  if (maxLength > maxLengths.name) return 'prose'
  return personal ? 'person' : 'title'
}
