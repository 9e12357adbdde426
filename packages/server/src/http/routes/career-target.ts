/** The parts of a request to a career site. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { renderError } from '../../career-sites/pages.ts'
import type { Site } from '../../career-sites/posting.ts'
import type { Parameters } from '../request/query-string.ts'
import { MissingPage } from './career-reads.ts'

/** What a URL names, decoded, and how it was requested. */
export interface Target {
  readonly site: string
  readonly locale: string
  readonly slug: string
  /** Whether the URL is at the root of the site's own domain. */
  readonly isOwnDomain: boolean
}

export type Send = (request: FastifyRequest, reply: FastifyReply, target: Target) => Promise<FastifyReply>

/** Pages at the own domain are stored apart: the fast path knows URLs only, and these URLs mean nothing elsewhere. */
export const variantOf = ({ site, isOwnDomain }: Target): string | undefined =>
  isOwnDomain ? `own ${site}` : undefined

export const requireLocale = (site: Site, locale: string): void => {
  if (!site.locales.includes(locale)) throw new MissingPage(renderError(site, locale, { status: 404, others: [] }), 404)
}

export const maxPage = 10_000

export const readPage = (parameters: Parameters): number => {
  const text = parameters.get('page')?.text ?? ''
  return /^\d{1,5}$/.test(text) ? Math.min(Math.max(Number(text), 1), maxPage) : 1
}

/**
 * The path as it was sent: the router decodes it and ignores a slash at its end, but relative URLs depend on both.
 */
export const pathIn = ({ raw }: FastifyRequest): string =>
  (raw.url ?? '').replace(/^\w+:\/\/[^/]*/, '').split('?', 1)[0] as string

/** Read from the URL: Fastify parses no query for a path without a route. */
export const queryIn = ({ raw }: FastifyRequest): string => (raw.url ?? '').split('?').slice(1).join('?')

export const hasTrailingSlash = (request: FastifyRequest): boolean => pathIn(request).endsWith('/')
