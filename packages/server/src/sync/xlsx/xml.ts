/**
 * Streaming XML: elements in, nothing kept. Document types, and with them entities, are refused, and elements of other
 * namespaces than the root's are left out.
 */
import { SaxesParser } from 'saxes'
import { OperatorError } from '../../errors.ts'
import { displayName } from '../../import-export/text-blocks.ts'
import { damaged } from './archive.ts'

export interface XmlHandlers {
  /** `element` is the name without its prefix. */
  readonly open: (element: string, attributes: Readonly<Record<string, string>>) => void
  readonly text: (text: string) => void
  readonly close: (element: string) => void
}

/** Those of ECMA-376, in its transitional and its strict form. */
const knownNamespaces: readonly unknown[] = [
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
  'http://schemas.openxmlformats.org/package/2006/relationships',
]

/** A text, comment or attribute that is longer would be kept in memory. Cells have at most 32,767 characters. */
const maxTokenLength = 1024 * 1024

/** Yields after each chunk of the document, so that the caller can take what its handlers have collected. */
export async function* parseXml(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  { open, text, close }: XmlHandlers,
): AsyncGenerator<void, void, void> {
  const parser = new SaxesParser()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let sinceToken = 0
  const withReset =
    <T>(handle: (token: T) => void) =>
    (token: T): void => {
      sinceToken = 0
      handle(token)
    }
  const names = openNames()
  parser.on(
    'opentag',
    withReset((tag) => {
      const attributes = tag.attributes as Record<string, string>
      const element = names.open(tag.name, attributes)
      if (element !== undefined) open(element, attributes)
    }),
  )
  parser.on('text', withReset(text))
  parser.on('cdata', withReset(text))
  parser.on(
    'closetag',
    withReset((tag) => {
      const element = names.close(tag.name)
      if (element !== undefined) close(element)
    }),
  )
  parser.on('doctype', () => {
    throw new OperatorError('a document type is not allowed')
  })
  try {
    for await (const chunk of bytes) {
      sinceToken += chunk.length
      parser.write(decoder.decode(chunk, { stream: true }))
      if (sinceToken > maxTokenLength + chunk.length) throw new OperatorError('a text is longer than 1 MiB')
      yield
    }
    parser.write(decoder.decode()).close()
    yield
  } catch (error) {
    throw error instanceof OperatorError
      ? new OperatorError(`${displayName(name)} cannot be read: ${error.message}.`, { cause: error })
      : damaged(name, error)
  }
}

interface Names {
  /** The name of an element of the root's namespace without its prefix. */
  open(name: string, attributes: Readonly<Record<string, string>>): string | undefined
  close(name: string): string | undefined
}

/**
 * Knows elements of the root's namespace by their prefix. The option `xmlns` of saxes does more, and takes half as long
 * again for each element.
 */
const openNames = (): Names => {
  let prefix: string | undefined
  let declaration = ''
  let namespace: string | undefined
  /** How many elements are open from the one in which the prefix has another meaning. */
  let foreignDepth = 0
  const ownName = (name: string): string | undefined => {
    const end = name.indexOf(':') + 1
    return name.slice(0, end) === prefix ? name.slice(end) : undefined
  }
  return {
    open(name, attributes) {
      if (prefix === undefined) {
        prefix = name.slice(0, name.indexOf(':') + 1)
        declaration = prefix === '' ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`
        namespace = attributes[declaration]
        if (!knownNamespaces.includes(namespace))
          throw new OperatorError(`its element ${name} is not in a namespace of Excel`)
      } else if (foreignDepth > 0 || (attributes[declaration] ?? namespace) !== namespace) foreignDepth += 1
      return foreignDepth > 0 ? undefined : ownName(name)
    },
    close(name) {
      if (foreignDepth === 0) return ownName(name)
      foreignDepth -= 1
      return undefined
    },
  }
}

/** Reads a whole document, whose size the caller has limited. */
export const readXml = async (bytes: AsyncIterable<Uint8Array>, name: string, handlers: XmlHandlers): Promise<void> => {
  for await (const _ of parseXml(bytes, name, handlers));
}
