import type { FileFormat, Resource } from '@muster/model'
import { fileFormats } from '@muster/model'

/** The formats that a sync reads. An import reads only those of exports. */
export const inputFormats = [...fileFormats, 'xlsx'] as const
export type InputFormat = (typeof inputFormats)[number]

export interface Source<Format extends InputFormat = InputFormat> {
  readonly resource: Resource
  readonly format: Format
  /** Name of the source in error messages. */
  readonly name: string
  readonly bytes: () => AsyncIterable<Uint8Array>
}

/** A source in a format of exports. */
export type TextSource = Source<FileFormat>

export const isTextSource = (source: Source): source is TextSource => source.format !== 'xlsx'
