/** In charge of the ways in which a create can lack the write token. */
import type { HeaderLine } from './request.ts'
import { bearer, tokenPlace } from './request.ts'

export interface WrongCredentials {
  readonly about: string
  readonly headers: readonly HeaderLine[]
  readonly query?: string
}

const wrong = (about: string, ...values: readonly string[]): WrongCredentials => ({
  about,
  headers: values.map((value) => ['Authorization', value]),
})

export const wrongCredentials: readonly WrongCredentials[] = [
  wrong('no Authorization'),
  wrong('an empty Authorization', ''),
  wrong('a scheme without a token', 'Bearer'),
  wrong('a scheme with blanks for a token', 'Bearer   '),
  wrong('another token', 'Bearer another'),
  wrong('the token and one character more', `Bearer ${tokenPlace}x`),
  wrong('the token after a character', `Bearer x${tokenPlace}`),
  wrong('the token twice in a row', `Bearer ${tokenPlace}${tokenPlace}`),
  wrong('two tokens', `Bearer ${tokenPlace} ${tokenPlace}`),
  wrong('the token in quotes', `Bearer "${tokenPlace}"`),
  wrong('the token without a scheme', tokenPlace),
  wrong('no blank after the scheme', `Bearer${tokenPlace}`),
  wrong('a tab after the scheme', `Bearer\t${tokenPlace}`),
  wrong('Basic', `Basic ${tokenPlace}`),
  wrong('Token', `Token ${tokenPlace}`),
  wrong('a list of schemes', `Basic x, Bearer ${tokenPlace}`),
  wrong('an empty token', 'Bearer ""'),
  wrong('null', 'Bearer null'),
  wrong('a token of eight kibibytes', `Bearer ${'x'.repeat(8_192)}`),
  wrong('two Authorization headers', `Bearer ${tokenPlace}`, `Bearer ${tokenPlace}`),
  wrong('a right and a wrong Authorization header', `Bearer ${tokenPlace}`, 'Bearer another'),
  { about: 'the token in the query', headers: [], query: `?access_token=${tokenPlace}&token=${tokenPlace}` },
  { about: 'the token in a cookie', headers: [['Cookie', `token=${tokenPlace}; Authorization=Bearer`]] },
  { about: 'the token in another header', headers: [['X-Api-Key', tokenPlace]] },
  { about: 'the token for a proxy', headers: [['Proxy-Authorization', `Bearer ${tokenPlace}`]] },
]

/** Spellings of the right credentials. */
export const rightCredentials: readonly (readonly [about: string, header: HeaderLine])[] = [
  ['as usual', bearer],
  ['the scheme in lower case', ['Authorization', `bearer ${tokenPlace}`]],
  ['the scheme in upper case', ['Authorization', `BEARER ${tokenPlace}`]],
  ['several blanks', ['Authorization', `Bearer    ${tokenPlace}`]],
  ['the header in lower case', ['authorization', `Bearer ${tokenPlace}`]],
]
