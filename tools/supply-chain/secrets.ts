import { createHash } from 'node:crypto'
import { harmlessSecrets } from './policy.ts'

export interface FoundSecret {
  readonly kind: string
  readonly line: number
  /** The first four characters of the secret and its digest: enough to find the secret, too little to use it. */
  readonly excerpt: string
}

interface Pattern {
  readonly kind: string
  /** Matches a secret, which is the first capturing group, or the whole match if there is no group. */
  readonly expression: RegExp
  /** If true, the matched value must also look random, because words such as "token:" also precede harmless values. */
  readonly mustLookRandom?: boolean
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
  { kind: 'SendGrid key', expression: /\bSG\.[\w-]{20,}\.[\w-]{20,}/g },
  { kind: 'OpenAI or Anthropic key', expression: /\bsk-(?:proj|svcacct|ant)-[\w-]{20,}/g },
  { kind: 'Shopify token', expression: /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b/g },
  { kind: 'Linear key', expression: /\blin_api_[A-Za-z0-9]{32,}/g },
  { kind: 'DigitalOcean token', expression: /\bdo[opr]_v1_[0-9a-f]{64}\b/g },
  { kind: 'Hugging Face token', expression: /\bhf_[A-Za-z0-9]{30,}/g },
  { kind: 'Vault token', expression: /\bhv[bs]\.[\w-]{24,}/g },
  { kind: 'Slack webhook', expression: /\bhooks\.slack\.com\/services\/(T\w+\/B\w+\/\w{16,})/g },
  { kind: 'signed token', expression: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g },
  {
    kind: 'password in a URL',
    // Passwords for local servers and for reserved host names (RFC 2606) are harmless.
    expression:
      /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@'"`]*:([^\s/@'"`]{7,})@(?!127\.0\.0\.1|localhost|\[::1\]|[\w.-]*\b(?:example|invalid|test)\b)/gi,
  },
  { kind: 'bearer token', expression: /\bbearer +([\w.~+/-]{16,}=*)/gi, mustLookRandom: true },
  {
    kind: 'assigned secret',
    expression:
      /(?:token|secret|passw(?:or)?d|pwd|api_?key|private_?key|credentials?)["']?\s*[:=]\s*["'`]?([\w+/=-]{16,})/gi,
    mustLookRandom: true,
  },
]

/**
 * Matches placeholders for a secret: words such as "password", characters such as "<" or "…", and consecutive digits.
 */
const placeholder = /^(?:[a-z]+-)?(?:password|pass|secret)$|[$<{*…]|\.\.\.|0123456789/i

export const findSecrets = (text: string): FoundSecret[] =>
  patterns.flatMap(({ kind, expression, mustLookRandom }) =>
    [...text.matchAll(expression)].flatMap((match) => {
      const secret = match[1] ?? match[0]
      if (
        placeholder.test(secret) ||
        (mustLookRandom && !looksRandom(secret)) ||
        secretDigest(secret) in harmlessSecrets
      )
        return []
      return {
        kind,
        line: text.slice(0, match.index).split('\n').length,
        excerpt: `${secret.slice(0, 4)}… (${secretDigest(secret)})`,
      }
    }),
  )

/** Returns a digest that identifies a secret without revealing it. */
const secretDigest = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 16)

/** True if a part between hyphens or underscores mixes letters and digits and has high entropy. */
const looksRandom = (text: string): boolean =>
  text
    .split(/[-_]/)
    .some((part) => part.length >= 12 && /\d/.test(part) && /[a-z]/i.test(part) && bitsPerCharacter(part) >= 3)

const bitsPerCharacter = (text: string): number => {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0)
}
