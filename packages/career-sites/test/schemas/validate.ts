import { readFileSync } from 'node:fs'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'

/** Parses the text and checks it against a schema of this folder; throws an error that names the wrong elements. */
const validatorOf = (name: string): ((xml: string) => XmlDocument) => {
  const schema = XmlDocument.fromString(readFileSync(new URL(name, import.meta.url), 'utf8'))
  const validator = XsdValidator.fromDoc(schema)
  return (xml) => {
    const document = XmlDocument.fromString(xml)
    validator.validate(document)
    return document
  }
}

export const parseSitemap = validatorOf('sitemap.xsd')
export const parseJobBoard = validatorOf('jobs.xsd')

/** The texts of the elements that an XPath finds. In a sitemap the prefix `s` names its namespace. */
export const textsAt = (document: XmlDocument, path: string): string[] =>
  document.find(path, { s: 'http://www.sitemaps.org/schemas/sitemap/0.9' }).map((node) => node.content)
