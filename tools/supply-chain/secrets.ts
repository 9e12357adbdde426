/**
 * Searches for secrets: secretlint knows the tokens of providers. The patterns here are for secrets that have no
 * provider, and for forms of tokens that secretlint 13.0 does not find.
 */
import { createHash } from 'node:crypto'
import { lintSource } from '@secretlint/core'
import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { harmlessSecrets } from './policy.ts'

export interface FoundSecret {
  readonly kind: string
  readonly line: number
  /** The first four characters of the secret and its digest: enough to find the secret, too little to use it. */
  readonly excerpt: string
}

interface Match {
  readonly kind: string
  readonly index: number
  readonly secret: string
}

const rulePrefix = '@secretlint/secretlint-rule-'
const unusedRules = [
  // A comment could switch off the search.
  'filter-comments',
  // The pattern for passwords in URLs covers every scheme, and leaves out local servers, which these rules report.
  'basicauth',
  'database-connection-string',
]
const providerRules = rules
  .filter(({ meta }) => !unusedRules.some((name) => meta.id === rulePrefix + name))
  .map((rule) =>
    rule.meta.id === `${rulePrefix}aws`
      ? // By default the rule does not search for the id of a key.
        { id: rule.meta.id, rule, options: { enableIDScanRule: true }, allowMessageIds: ['AWSAccountID'] }
      : { id: rule.meta.id, rule },
  )

const findProviderSecrets = async (text: string): Promise<Match[]> => {
  const source = { filePath: 'text', content: text, contentType: 'text', ext: '' } as const
  const { messages } = await lintSource({ source, options: { config: { rules: providerRules } } })
  return messages.map(({ ruleId, range: [start, end] }) => ({
    kind: ruleId.slice(rulePrefix.length),
    index: start,
    secret: text.slice(start, end),
  }))
}

interface Pattern {
  readonly kind: string
  /** Matches a secret, which is the first capturing group, or the whole match if there is no group. */
  readonly expression: RegExp
  /** If true, the matched value must also look random, because words such as "token:" also precede harmless values. */
  readonly mustLookRandom?: boolean
}

const patterns: readonly Pattern[] = [
  // secretlint requires 100 characters. An Ed25519 key has 64.
  { kind: 'private key', expression: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?:\s|\\n)+([A-Za-z0-9+/=:]{16,})/g },
  { kind: 'long GitHub token', expression: /\bgh[opsru]_[A-Za-z0-9]{37,}/g },
  { kind: 'Slack session token', expression: /\bxox[aes][.-][\w.-]{10,}/g },
  { kind: 'SendGrid key', expression: /\bSG\.[\w-]{20,}\.[\w-]{20,}/g },
  { kind: 'Anthropic key', expression: /\bsk-ant-[\w-]{20,}/g },
  { kind: 'Vault token', expression: /\bhv[bs]\.[\w-]{24,}/g },
  { kind: 'Google key', expression: /\bAIza[\w-]{35}/g },
  { kind: 'DigitalOcean token', expression: /\bdo[opr]_v1_[0-9a-f]{64}\b/g },
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

const findOtherSecrets = (text: string): Match[] =>
  patterns.flatMap(({ kind, expression, mustLookRandom }) =>
    [...text.matchAll(expression)].flatMap((match) => {
      const secret = match[1] ?? match[0]
      if (placeholder.test(secret) || (mustLookRandom && !looksRandom(secret))) return []
      return { kind, index: match.index, secret }
    }),
  )

export const findSecrets = async (text: string): Promise<FoundSecret[]> =>
  [...(await findProviderSecrets(text)), ...findOtherSecrets(text)]
    .filter(({ secret }) => !(secretDigest(secret) in harmlessSecrets))
    .map(({ kind, index, secret }) => ({
      kind,
      line: text.slice(0, index).split('\n').length,
      excerpt: `${secret.slice(0, 4)}… (${secretDigest(secret)})`,
    }))

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
