// Reads list pages and picks records from them.
import assert from 'node:assert/strict'
import type { Resource } from '../contract/contract.ts'
import { type Answer, get, json, type Row } from './http.ts'

export type Meta = { total: number; limit: number; offset: number }
export type Page = { data: Row[]; meta: Meta }

export function pageOf(answer: Answer): Page {
  assert.equal(answer.status, 200, answer.text.slice(0, 500))
  return json(answer) as Page
}

export function query(parameters: Record<string, string | number>): string {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

export async function page(resource: Resource, parameters: Record<string, string | number> = {}): Promise<Page> {
  return pageOf(await get(`/v1/${resource}${query(parameters)}`))
}

export async function total(resource: Resource, parameters: Record<string, string | number> = {}): Promise<number> {
  return (await page(resource, { ...parameters, limit: 1 })).meta.total
}

export async function ids(resource: Resource, parameters: Record<string, string | number>): Promise<unknown[]> {
  return (await page(resource, { limit: 200, ...parameters })).data.map((row) => row.id)
}

/** Every page of a list, one after the other, until one comes back empty. */
export async function walk(
  resource: Resource,
  limit: number,
  parameters: Record<string, string | number> = {},
): Promise<Page[]> {
  const pages: Page[] = []
  for (let offset = 0; ; offset += limit) {
    const next = await page(resource, { ...parameters, limit, offset })
    if (next.data.length === 0) return pages
    pages.push(next)
  }
}

const walked = new Map<Resource, Promise<Row[]>>()

/** Every record of a resource nobody can add to, read once. */
export function everyRow(resource: Resource): Promise<Row[]> {
  const known = walked.get(resource)
  if (known) return known
  const reading = walk(resource, 200).then((pages) => pages.flatMap((each) => each.data))
  walked.set(resource, reading)
  return reading
}

export function found<T>(value: T | undefined, what: string): T {
  assert.ok(value !== undefined, `the seeded data hold no ${what}`)
  return value
}

export async function firstRow(resource: Resource): Promise<Row> {
  return found((await page(resource, { limit: 1 })).data[0], resource)
}
