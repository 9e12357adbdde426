/** In charge of reading JSON text strictly: what JSON.parse lets pass in silence, a name given twice, is reported. */

/** The names that occur twice in one object of a JSON text, each with the outermost property it stands in. */
export const findDuplicateKeys = (text: string): string[] => {
  const open: (Set<string> | undefined)[] = []
  const duplicates = new Set<string>()
  let outermost = ''
  let keyExpected = false
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '{':
        open.push(new Set())
        keyExpected = true
        break
      case '[':
        open.push(undefined)
        keyExpected = false
        break
      case '}':
      case ']':
        open.pop()
        keyExpected = false
        break
      case ',':
        keyExpected = open.at(-1) !== undefined
        break
      case '"': {
        const end = endOfString(text, at)
        if (keyExpected) {
          const key = JSON.parse(text.slice(at, end + 1)) as string
          if (open.length === 1) outermost = key
          const keys = open.at(-1)
          if (keys?.has(key)) duplicates.add(outermost)
          keys?.add(key)
          keyExpected = false
        }
        at = end
        break
      }
    }
  }
  return [...duplicates]
}

/** The text is known to be JSON, so every string ends. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
