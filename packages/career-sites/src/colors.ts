/** Colours of a career site: `#rgb` and `#rrggbb` only, and as text or behind text only with enough contrast. */

/** WCAG 2.2, success criterion 1.4.3, level AA. */
export const minContrast = 4.5

/** Undefined if the text is not `#rgb` or `#rrggbb`. The result is `#rrggbb` in lower case. */
export const parseColor = (text: string | undefined): string | undefined => {
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text?.trim() ?? '')?.[1]?.toLowerCase()
  if (digits === undefined) return undefined
  return `#${digits.length === 6 ? digits : digits.replaceAll(/./g, '$&$&')}`
}

/** The contrast ratio of two colours (WCAG 2.2, definition of contrast ratio), from 1 to 21. */
export const contrastOf = (first: string, second: string): number => {
  const [low = 0, high = 0] = [luminanceOf(first), luminanceOf(second)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const luminanceOf = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export const backgrounds = { light: '#ffffff', dark: '#14171c' } as const
/** The background of boxes, such as the form and the facts of a job. */
export const cards = { light: '#f5f6f8', dark: '#1e2229' } as const
export const textColors = { light: '#1b1f24', dark: '#e8eaed' } as const
const neutralLinks = { light: '#1a4fb4', dark: '#9cc2ff' } as const
const neutralBrand = '#374151'

export interface Theme {
  /** Colour of bars, which carry no text. */
  readonly bar: string
  readonly light: ThemeColors
  readonly dark: ThemeColors
}

export interface ThemeColors {
  readonly link: string
  /** Text on a button in the link colour. */
  readonly onLink: string
  /** The band behind the heading. */
  readonly band: string
  readonly onBand: string
}

/** Takes the first of the given colours that has enough contrast; the accent colour without it is used for bars only. */
export const themeOf = (brandColor: string | undefined, accentColor: string | undefined): Theme => {
  const brand = parseColor(brandColor)
  const accent = parseColor(accentColor)
  const colors = [brand, accent].filter((color) => color !== undefined)
  const band = brand ?? neutralBrand
  const themeColors = (mode: keyof typeof backgrounds): ThemeColors => {
    const link = colors.find((color) => contrastOf(color, backgrounds[mode]) >= minContrast) ?? neutralLinks[mode]
    // A bright band would dazzle on a dark page.
    const isTooBright = mode === 'dark' && textOn(band) !== '#ffffff'
    return {
      link,
      onLink: textOn(link),
      band: isTooBright ? cards.dark : band,
      onBand: isTooBright ? textColors.dark : textOn(band),
    }
  }
  return { bar: accent ?? band, light: themeColors('light'), dark: themeColors('dark') }
}

/** White or black: every colour has a contrast of at least 4.58 with one of them. */
const textOn = (color: string): string => (contrastOf(color, '#ffffff') >= minContrast ? '#ffffff' : '#000000')
