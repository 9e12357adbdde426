/** Control characters, line separators, and characters that change the direction of the text after them. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/**
 * The text in one line, with escapes that JSON has too. A terminal would execute the control characters of a value,
 * including those of U+0080 to U+009F, which JSON.stringify leaves as they are.
 */
export const printable = (text: string): string =>
  text.replaceAll(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The same for a text of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')
