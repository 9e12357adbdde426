/** In charge of the form in which PostgreSQL keeps a password, so that the password itself is in no statement and in no log. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { OperatorError } from '../errors.ts'

const iterations = 4096

/** What PostgreSQL would store for this password of this role (RFC 5802 and 7677). */
export const scramVerifier = (role: string, password: string): string => {
  // Beyond ASCII a password has several spellings that count as one, and a wrong guess at them would lock the role out.
  if (!/^[\x20-\x7e]+$/.test(password))
    throw new OperatorError(`The password of "${role}" should have ASCII characters only.`)
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyFor = (name: string): Buffer => createHmac('sha256', salted).update(name).digest()
  const storedKey = createHash('sha256').update(keyFor('Client Key')).digest('base64')
  const serverKey = keyFor('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}
