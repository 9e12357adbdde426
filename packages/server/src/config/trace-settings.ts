/** The environment variables of the OpenTelemetry specification that apply to the export of traces. */
import { OperatorError } from '../errors.ts'
import type { SamplerSettings } from '../observability/sampler.ts'
import type { TraceSettings } from '../observability/traces.ts'
import type { Environment } from './read-setting.ts'
import { isSet, readSetting } from './read-setting.ts'
import type { SettingName } from './settings.ts'

/** A value, and a warning if the setting was invalid and a default is used instead, as the specification demands. */
interface Reading<T> {
  readonly value: T
  readonly warning?: string
}

/** Undefined if no spans are exported. */
export const readTraceSettings = (env: Environment): TraceSettings | undefined => {
  const url = readUrl(env)
  if (url === undefined || readDisabled(env).value) return undefined
  const serviceName = readSetting(env, 'OTEL_SERVICE_NAME')
  return {
    url,
    headers: readHeaders(env),
    resource: {
      ...readResourceAttributes(env).value,
      ...(serviceName === undefined ? {} : { 'service.name': serviceName }),
    },
    sampler: readSampler(env).value,
  }
}

export const traceWarnings = (env: Environment): string[] =>
  [readDisabled(env), readResourceAttributes(env), readSampler(env)]
    .map(({ warning }) => warning)
    .filter((warning) => warning !== undefined)

const readUrl = (env: Environment): string | undefined => {
  const tracesUrl = readEndpoint(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  if (tracesUrl !== undefined) return tracesUrl.href
  const url = readEndpoint(env, 'OTEL_EXPORTER_OTLP_ENDPOINT')
  if (url === undefined) return undefined
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`
  return url.href
}

const readEndpoint = (env: Environment, name: SettingName): URL | undefined => {
  const endpoint = readSetting(env, name)
  if (endpoint === undefined) return undefined
  if (!(/^https?:\/\//i.test(endpoint) && URL.canParse(endpoint)))
    throw new OperatorError(`${name} must start with http:// or https://.`)
  const url = new URL(endpoint)
  if (url.username + url.password !== '')
    throw new OperatorError(
      `${name} contains a user name or password, which Muster does not send: set OTEL_EXPORTER_OTLP_HEADERS to authorization=Basic%20 and their Base64 form.`,
    )
  return url
}

/** Any value except true leaves traces enabled. */
const readDisabled = (env: Environment): Reading<boolean> => {
  const value = readSetting(env, 'OTEL_SDK_DISABLED') ?? 'false'
  if (/^(true|false)$/i.test(value)) return { value: value.toLowerCase() === 'true' }
  return { value: false, warning: `OTEL_SDK_DISABLED must be true or false, not "${value}": traces stay enabled.` }
}

/**
 * The headers for traces replace the general ones as a whole. If they were merged, a collector for traces would
 * receive the credentials of another collector.
 *
 * Values are percent-encoded, as in W3C Baggage. The error contains no value, because values are secrets.
 */
const readHeaders = (env: Environment): Record<string, string> => {
  const name = isSet(env, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS')
    ? 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'
    : 'OTEL_EXPORTER_OTLP_HEADERS'
  try {
    const pairs = membersOf(env, name).map((member) => {
      const [key, value] = splitAt(member, member.indexOf('='))
      return [key, decodeURIComponent(value)] as const
    })
    // The constructor of Headers checks which characters are allowed in names and values.
    return Object.fromEntries(new Headers(Object.fromEntries(pairs)))
  } catch {
    throw new OperatorError(
      `${name} must be a list such as api-key=secret,x-tenant=7. Percent-encode commas and % in values.`,
    )
  }
}

/** If one attribute is invalid, the specification says to ignore all of them. */
const readResourceAttributes = (env: Environment): Reading<Readonly<Record<string, string>>> => {
  try {
    const pairs = membersOf(env, 'OTEL_RESOURCE_ATTRIBUTES').map((member) => {
      const [key, value] = splitAt(member, member.indexOf('='))
      if (value.includes('=')) throw new SyntaxError('= is not percent-encoded')
      return [decodeURIComponent(key), decodeURIComponent(value)] as const
    })
    return { value: Object.fromEntries(pairs) }
  } catch {
    return {
      value: {},
      warning:
        'OTEL_RESOURCE_ATTRIBUTES is ignored: it must be a list such as deployment.environment.name=test,team=hr, with commas, = and % percent-encoded in names and values.',
    }
  }
}

const membersOf = (env: Environment, name: SettingName): string[] =>
  (readSetting(env, name) ?? '').split(',').filter((member) => member.trim() !== '')

const splitAt = (member: string, at: number): [key: string, value: string] => {
  const key = member.slice(0, at).trim()
  if (at < 0 || key === '') throw new SyntaxError('a member has no key')
  return [key, member.slice(at + 1).trim()]
}

/** The samplers of the specification that need no further service. A missing ratio is that of the argument. */
const samplers = new Map<string, { readonly parentBased: boolean; readonly ratio?: number }>([
  ['always_on', { parentBased: false, ratio: 1 }],
  ['always_off', { parentBased: false, ratio: 0 }],
  ['traceidratio', { parentBased: false }],
  ['parentbased_always_on', { parentBased: true, ratio: 1 }],
  ['parentbased_always_off', { parentBased: true, ratio: 0 }],
  ['parentbased_traceidratio', { parentBased: true }],
])

const readSampler = (env: Environment): Reading<SamplerSettings> => {
  const name = readSetting(env, 'OTEL_TRACES_SAMPLER') as string
  const argument = readSetting(env, 'OTEL_TRACES_SAMPLER_ARG')
  const sampler = samplers.get(name.toLowerCase())
  if (sampler === undefined)
    return {
      value: { parentBased: true, ratio: 1 },
      warning: `OTEL_TRACES_SAMPLER must be one of ${[...samplers.keys()].join(', ')}, not "${name}": parentbased_always_on is used.`,
    }
  const { parentBased, ratio } = sampler
  if (ratio !== undefined)
    return {
      value: { parentBased, ratio },
      ...(argument === undefined
        ? {}
        : { warning: 'OTEL_TRACES_SAMPLER_ARG is ignored, because only samplers with a ratio have an argument.' }),
    }
  if (argument === undefined) return { value: { parentBased, ratio: 1 } }
  const number = /^[\d.]+(e-?\d+)?$/i.test(argument) ? Number(argument) : Number.NaN
  if (number >= 0 && number <= 1) return { value: { parentBased, ratio: number } }
  return {
    value: { parentBased, ratio: 1 },
    warning: `OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${argument}": all traces are recorded.`,
  }
}
