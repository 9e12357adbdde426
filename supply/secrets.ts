/** In charge of recognising secrets in text. */
import { createHash } from 'node:crypto'
import { harmlessSecrets } from './policy.ts'

export interface Secret {
  readonly kind: string
  readonly line: number
  /** Enough to find it again, too little to use it. */
  readonly excerpt: string
}

interface Pattern {
  readonly kind: string
  /** The first group is the secret, or else the whole match. */
  readonly expression: RegExp
  /** For words that also stand before what is no secret: what follows must look random. */
  readonly random?: boolean
}

const patterns: readonly Pattern[] = [
  { kind: 'private key', expression: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?:\s|\\n)+([A-Za-z0-9+/=:]{16,})/g },
  { kind: 'AWS key', expression: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { kind: 'GitHub token', expression: /\b(?:gh[opsru]_[A-Za-z0-9]{36,}|github_pat_\w{50,})/g },
  { kind: 'GitLab token', expression: /\bglpat-[\w-]{20,}/g },
  { kind: 'npm token', expression: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'Slack token', expression: /\bxox[abeoprs]-[\w-]{10,}/g },
  { kind: 'Stripe key', expression: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g },
  { kind: 'Google key', expression: /\bAIza[\w-]{35}/g },
  { kind: 'signed token', expression: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g },
  {
    kind: 'password in an address',
    // On the machine itself, and at hosts that can never exist, a password opens nothing for anybody else.
    expression:
      /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@'"`]*:([^\s/@'"`]{7,})@(?!127\.0\.0\.1|localhost|\[::1\]|[\w.-]*\b(?:example|invalid|test)\b)/gi,
  },
  { kind: 'bearer token', expression: /\bbearer +([\w.~+/-]{16,}=*)/gi, random: true },
  {
    kind: 'assigned secret',
    expression:
      /(?:token|secret|passw(?:or)?d|pwd|api_?key|private_?key|credentials?)["']?\s*[:=]\s*["'`]?([\w+/=-]{16,})/gi,
    random: true,
  },
]

/** What shows how a secret is written: a word for it, a blank to fill in, the digits in a row. */
const placeholder = /^(?:[a-z]+-)?(?:password|pass|secret)$|[$<{*…]|\.\.\.|0123456789/i

export const findSecrets = (text: string): Secret[] =>
  patterns.flatMap(({ kind, expression, random }) =>
    [...text.matchAll(expression)].flatMap((match) => {
      const secret = match[1] ?? match[0]
      if (placeholder.test(secret) || (random && !looksRandom(secret)) || digest(secret) in harmlessSecrets) return []
      return {
        kind,
        line: text.slice(0, match.index).split('\n').length,
        excerpt: `${secret.slice(0, 4)}… (${digest(secret)})`,
      }
    }),
  )

/** Names a secret without telling it. */
const digest = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 16)

/** One stretch of letters and digits mixed, as evenly spread as chance does it; words joined by hyphens are none. */
const looksRandom = (text: string): boolean =>
  text
    .split(/[-_]/)
    .some((part) => part.length >= 12 && /\d/.test(part) && /[a-z]/i.test(part) && bitsPerCharacter(part) >= 3)

const bitsPerCharacter = (text: string): number => {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0)
}
