/** Secrets and signatures of Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA-256, version `v1`. */
import { createHmac } from 'node:crypto'

const secretPattern = /^whsec_([A-Za-z0-9+/]+={0,2})$/
/** The lengths that the standard allows, in bytes. */
const minSecretBytes = 24
const maxSecretBytes = 64

/** Undefined if the text is not a secret of the standard. */
export const parseSecret = (text: string): Buffer | undefined => {
  const encoded = secretPattern.exec(text)?.[1] ?? ''
  const secret = Buffer.from(encoded, 'base64')
  const isCanonical = secret.toString('base64') === encoded
  return isCanonical && secret.length >= minSecretBytes && secret.length <= maxSecretBytes ? secret : undefined
}

export interface SignedContent {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** The header `webhook-signature`: one signature per secret, so that a receiver can have the old or the new one. */
export const signatureHeader = (secrets: readonly Buffer[], { id, timestamp, body }: SignedContent): string =>
  secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ')
