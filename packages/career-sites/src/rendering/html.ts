/** HTML that is safe to send: everything that is interpolated into an `html` template is escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[]

/** Escapes for text and for quoted attributes. An undefined value adds nothing. */
export const html = (parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html => {
  let text = parts[0] as string
  for (let index = 0; index < values.length; index += 1) text += textOf(values[index]) + (parts[index + 1] as string)
  return new Html(text)
}

const textOf = (value: HtmlValue): string => {
  if (typeof value === 'string') return escapeMarkup(value)
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  return typeof value === 'object' ? value.map(textOf).join('') : String(value)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Also valid in XML. Characters that XML and HTML do not allow become U+FFFD. */
export const escapeMarkup = (text: string): string =>
  needsEscape.test(text) ? text.replaceAll(escapes, (character) => entities[character] ?? '\ufffd') : text

/** The entities; control characters, lone surrogates and U+FFFE, U+FFFF: not in the production `Char` of XML 1.0. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be sent
const escapes = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu
// Without the flag u, which makes the search slower, this finds pairs of surrogates too.
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const needsEscape = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/

/** JSON for a script element, which `</script>` and `<!--` in a string must not end or change. */
export const scriptJson = (value: object): Html => new Html(JSON.stringify(value).replaceAll('<', '\\u003c'))
