/** Formatters of Intl are stored, because pages share few locales. At most this many: a locale is free text. */
const maxFormatters = 500
const formatters = new Map<string, unknown>()
export const formatterOf = <T>(key: string, create: () => T): T => {
  const existing = formatters.get(key)
  if (existing !== undefined) return existing as T
  if (formatters.size >= maxFormatters) formatters.clear()
  const formatter = create()
  formatters.set(key, formatter)
  return formatter
}
