/** Streaming XML: elements in, nothing kept. Document types, and with them entities, are refused. */
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
  parser.on(
    'opentag',
    withReset((tag) => open(localName(tag.name), tag.attributes as Record<string, string>)),
  )
  parser.on('text', withReset(text))
  parser.on('cdata', withReset(text))
  parser.on(
    'closetag',
    withReset((tag) => close(localName(tag.name))),
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

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Reads a whole document, whose size the caller has limited. */
export const readXml = async (bytes: AsyncIterable<Uint8Array>, name: string, handlers: XmlHandlers): Promise<void> => {
  for await (const _ of parseXml(bytes, name, handlers));
}
