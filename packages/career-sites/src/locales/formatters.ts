/**
 * The value of the key, created if it is not stored yet. If there are `maxSize` values, all are removed first: keys come
 * from records, whose number has no limit.
 */
export const storedIn = <K, V>(values: Map<K, V>, maxSize: number, key: K, create: () => V): V => {
  const stored = values.get(key)
  if (stored !== undefined) return stored
  if (values.size >= maxSize) values.clear()
  const value = create()
  values.set(key, value)
  return value
}

const maxFormatters = 500
const formatters = new Map<string, unknown>()

/** Formatters of Intl are stored, because pages share few locales. */
export const formatterOf = <T>(key: string, create: () => T): T => storedIn(formatters, maxFormatters, key, create) as T
