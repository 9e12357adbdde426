import type { HeaderLine } from './request.ts'
import { bearerToken, tokenPlaceholder } from './request.ts'

export interface WrongCredentials {
  readonly about: string
  readonly headers: readonly HeaderLine[]
  readonly query?: string
}

const withAuthorization = (about: string, ...values: readonly string[]): WrongCredentials => ({
  about,
  headers: values.map((value) => ['Authorization', value]),
})

export const wrongCredentials: readonly WrongCredentials[] = [
  withAuthorization('no Authorization'),
  withAuthorization('an empty Authorization', ''),
  withAuthorization('a scheme without a token', 'Bearer'),
  withAuthorization('a scheme with only spaces as a token', 'Bearer   '),
  withAuthorization('another token', 'Bearer another'),
  withAuthorization('the token followed by one more character', `Bearer ${tokenPlaceholder}x`),
  withAuthorization('the token preceded by one more character', `Bearer x${tokenPlaceholder}`),
  withAuthorization('the token twice in a row', `Bearer ${tokenPlaceholder}${tokenPlaceholder}`),
  withAuthorization('two tokens', `Bearer ${tokenPlaceholder} ${tokenPlaceholder}`),
  withAuthorization('the token in quotes', `Bearer "${tokenPlaceholder}"`),
  withAuthorization('the token without a scheme', tokenPlaceholder),
  withAuthorization('no space after the scheme', `Bearer${tokenPlaceholder}`),
  withAuthorization('a tab after the scheme', `Bearer\t${tokenPlaceholder}`),
  withAuthorization('Basic', `Basic ${tokenPlaceholder}`),
  withAuthorization('Token', `Token ${tokenPlaceholder}`),
  withAuthorization('a list of schemes', `Basic x, Bearer ${tokenPlaceholder}`),
  withAuthorization('an empty token', 'Bearer ""'),
  withAuthorization('null', 'Bearer null'),
  withAuthorization('a token of eight kibibytes', `Bearer ${'x'.repeat(8_192)}`),
  withAuthorization('two Authorization headers', `Bearer ${tokenPlaceholder}`, `Bearer ${tokenPlaceholder}`),
  withAuthorization('a correct and a wrong Authorization header', `Bearer ${tokenPlaceholder}`, 'Bearer another'),
  {
    about: 'the token in the query',
    headers: [],
    query: `?access_token=${tokenPlaceholder}&token=${tokenPlaceholder}`,
  },
  { about: 'the token in a cookie', headers: [['Cookie', `token=${tokenPlaceholder}; Authorization=Bearer`]] },
  { about: 'the token in another header', headers: [['X-Api-Key', tokenPlaceholder]] },
  { about: 'the token in Proxy-Authorization', headers: [['Proxy-Authorization', `Bearer ${tokenPlaceholder}`]] },
]

/** Forms of the Authorization header that the service must accept. */
export const validCredentials: readonly (readonly [about: string, header: HeaderLine])[] = [
  ['the usual form', bearerToken],
  ['the scheme in lower case', ['Authorization', `bearer ${tokenPlaceholder}`]],
  ['the scheme in upper case', ['Authorization', `BEARER ${tokenPlaceholder}`]],
  ['several spaces after the scheme', ['Authorization', `Bearer    ${tokenPlaceholder}`]],
  ['the header name in lower case', ['authorization', `Bearer ${tokenPlaceholder}`]],
]
