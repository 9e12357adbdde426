import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { OperatorError } from '../../errors.ts'

const iterations = 4096

/**
 * The verifier that PostgreSQL stores instead of a password (RFC 5802, RFC 7677). Sending the verifier keeps the
 * password itself out of statements and logs.
 */
export const scramVerifier = (role: string, password: string): string => {
  // Passwords with other characters need SASLprep normalization (RFC 4013); a verifier that differs from PostgreSQL's
  // would lock the role out.
  if (!/^[\x20-\x7e]+$/.test(password))
    throw new OperatorError(`The password of "${role}" must contain only ASCII characters.`)
  const salt = randomBytes(16)
  const saltedPassword = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyFor = (name: string): Buffer => createHmac('sha256', saltedPassword).update(name).digest()
  const storedKey = createHash('sha256').update(keyFor('Client Key')).digest('base64')
  const serverKey = keyFor('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}
