/** The OTEL_ variables, as the OpenTelemetry specification defines them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { version } from '@muster/model'
import { trace } from '@opentelemetry/api'
import type { Collector } from '../../../../tests/support/collector.ts'
import { startCollector } from '../../../../tests/support/collector.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { startInProcess } from '../../../../tests/support/in-process-server.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { readTraceSettings, traceWarnings } from '../../src/config/trace-settings.ts'
import { OperatorError } from '../../src/errors.ts'
import { openSampler } from '../../src/observability/sampler.ts'
import { newTraceId } from '../../src/observability/trace-context.ts'

const unreachableUrl = 'postgres://127.0.0.1:1/none'
const parentTraceId = '0af7651916cd43dd8448eb211c80319c'
const parentSpanId = 'b7ad6b7169203331'

describe('a service with OTEL_ variables', () => {
  /**
   * Runs a service with a collector that accepts spans only at `path`. Sends one request without a parent, one with a
   * sampled and one with an unsampled parent.
   */
  const runService = async (path: string, settings: (origin: string) => Record<string, string>) => {
    const collector = await startCollector(path)
    const service = await startInProcess({ DATABASE_URL: unreachableUrl, ...settings(collector.endpoint) })
    const { origin } = service
    const traceparents = [
      {},
      ...['01', '00'].map((flags) => ({ traceparent: `00-${parentTraceId}-${parentSpanId}-${flags}` })),
    ]
    for (const headers of traceparents) assert.equal((await sendRequest(`${origin}/livez`, { headers })).status, 200)
    await service.stop()
    collector.close()
    return { collector, output: service.output }
  }
  /** Spans are exported in the order in which the requests ended. */
  const parentsOf = ({ spans }: Collector) => spans.map((span) => span.parentSpanId)

  it('sends spans to the general endpoint, with its headers, attributes and sampler', async () => {
    const { collector, output } = await runService('/otlp/v1/traces', (origin) => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${origin}/otlp/`,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '',
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20dXNlcjpwYXNz==, content-type=text/plain',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=people, service.instance.id = a-1 ,na%3Dme=a%2Cb%20%C3%A9',
      OTEL_TRACES_SAMPLER: 'always_on',
    }))
    assert.deepEqual(parentsOf(collector), [undefined, parentSpanId, parentSpanId])
    const [headers] = collector.headers
    assert.deepEqual([headers?.authorization, headers?.['content-type']], ['Basic dXNlcjpwYXNz==', 'application/json'])
    assert.deepEqual(collector.resource, {
      'service.name': 'people',
      'service.version': version,
      'service.instance.id': 'a-1',
      'na=me': 'a,b é',
    })
    assert.doesNotMatch(output, /OTEL|dXNlcjpwYXNz/)
  })

  it('prefers the endpoint and the headers for traces and the name in OTEL_SERVICE_NAME', async () => {
    const { collector } = await runService('/', (origin) => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: origin,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=general,x-tenant=7',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'api-key=traces',
      OTEL_SERVICE_NAME: 'hr',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=people,team=personnel',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    }))
    assert.deepEqual(parentsOf(collector), [parentSpanId])
    const [headers] = collector.headers
    assert.deepEqual([headers?.['api-key'], headers?.['x-tenant']], ['traces', undefined])
    assert.deepEqual([collector.resource['service.name'], collector.resource.team], ['hr', 'personnel'])
  })

  it('warns about invalid values and uses the defaults instead', async () => {
    const { collector, output } = await runService('/v1/traces', (origin) => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: origin,
      OTEL_RESOURCE_ATTRIBUTES: 'team=hr,service.name=%zz',
      OTEL_TRACES_SAMPLER: 'jaeger_remote',
      OTEL_SDK_DISABLED: '1',
    }))
    assert.deepEqual(parentsOf(collector), [undefined, parentSpanId])
    assert.deepEqual([collector.resource['service.name'], collector.resource.team], ['muster', undefined])
    const warnings = output.split('\n').filter((line) => line.includes('OTEL_'))
    assert.deepEqual(
      warnings.map((line) => [JSON.parse(line).level, /OTEL_\w+/.exec(line)?.[0]]),
      [
        [40, 'OTEL_SDK_DISABLED'],
        [40, 'OTEL_RESOURCE_ATTRIBUTES'],
        [40, 'OTEL_TRACES_SAMPLER'],
      ],
    )
  })

  it('sends nothing if OTEL_SDK_DISABLED is true', async () => {
    const { collector } = await runService('/v1/traces', (origin) => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: origin,
      OTEL_SDK_DISABLED: 'True',
    }))
    assert.deepEqual(collector.bodies, [])
  })

  it('sends nothing if an OpenTelemetry SDK is registered, which reads the same variables', async () => {
    trace.setGlobalTracerProvider({ getTracer: () => assert.fail() })
    const { collector, output } = await runService('/v1/traces', (origin) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: origin }))
    trace.disable()
    assert.deepEqual(collector.bodies, [])
    assert.match(output, /An OpenTelemetry SDK is loaded, so Muster exports no spans of its own\./)
  })

  it('does not start with invalid headers, and the message does not contain their values', async () => {
    const { code, err } = await muster(['serve'], {
      DATABASE_URL: unreachableUrl,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=%zzhunter2',
    })
    assert.equal(code, 1)
    assert.match(err, /^OTEL_EXPORTER_OTLP_HEADERS must be a list (?!.*hunter2).+\n$/)
  })
})

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

describe('the URL of the collector', () => {
  const cases: [general: string, traces: string, url: string | undefined][] = [
    ['', '', undefined],
    ['http://a:4318', '', 'http://a:4318/v1/traces'],
    ['http://a:4318/', '', 'http://a:4318/v1/traces'],
    ['https://a/otlp?key=1', '', 'https://a/otlp/v1/traces?key=1'],
    ['http://a:4318', 'http://b', 'http://b/'],
    ['', 'http://b:4318/v1/traces/', 'http://b:4318/v1/traces/'],
  ]
  for (const [general, traces, url] of cases)
    it(`is ${url} for "${general}" and "${traces}"`, () => {
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: general, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces }
      assert.equal(readTraceSettings(env)?.url, url)
    })

  it('may contain neither credentials nor another scheme in either setting', () => {
    for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'])
      for (const url of ['http://user:secret@collector', 'grpc://collector', 'collector:4318', 'http://'])
        assert.throws(() => readTraceSettings({ [name]: url }), new RegExp(`^Error: ${name} (?!.*secret)`))
  })
})

describe('the headers for the collector', () => {
  it('are pairs whose values are percent-decoded', () => {
    const value = ' A = b=c== , x-list=a%2Cb%3D%25+c;d,, e='
    assert.deepEqual(readTraceSettings({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: value })?.headers, {
      a: 'b=c==',
      'x-list': 'a,b=%+c;d',
      e: '',
    })
  })

  for (const value of ['secret', '=secret', 'a=%zz', 'a b=secret', 'a=secret%0Ab', 'a=%E4%B8%AD'])
    it(`may not be "${value}"`, () => {
      const env = { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_HEADERS: value }
      assert.throws(() => readTraceSettings(env), OperatorError)
    })
})

describe('the resource attributes', () => {
  for (const attributes of ['team', '=hr', 'team=a=b', 'a=b,team', 'team=%E4', 'te%am=hr'])
    it(`are all ignored if they are "${attributes}"`, () => {
      const env = { ...endpoint, OTEL_RESOURCE_ATTRIBUTES: attributes }
      assert.deepEqual(readTraceSettings(env)?.resource, {})
      assert.match(traceWarnings(env).join(), /^OTEL_RESOURCE_ATTRIBUTES is ignored: /)
    })
})

describe('the sampler', () => {
  const all = ['new', 'sampled', 'unsampled']
  const byParent = ['new', 'sampled']
  const invalidArgument = (value: string) => new RegExp(`^OTEL_TRACES_SAMPLER_ARG must be a number .*, not "${value}"`)
  const invalidName = (value: string) => new RegExp(`^OTEL_TRACES_SAMPLER must be one of .*, not "${value}"`)
  const unusedArgument = /^OTEL_TRACES_SAMPLER_ARG is ignored/
  const cases: [name: string, argument: string, recorded: string[], warning?: RegExp][] = [
    ['', '', byParent],
    ['always_on', '', all],
    ['Always_ON', '', all],
    ['always_off', '', []],
    ['traceidratio', '', all],
    ['traceidratio', '1', all],
    ['traceidratio', '1.0', all],
    ['traceidratio', '0', []],
    ['parentbased_always_on', '', byParent],
    ['parentbased_always_off', '', ['sampled']],
    ['parentbased_traceidratio', '', byParent],
    ['parentbased_traceidratio', '1e-30', ['sampled']],
    ['parentbased_traceidratio', '1.5', byParent, invalidArgument('1.5')],
    ['parentbased_traceidratio', '-1', byParent, invalidArgument('-1')],
    ['parentbased_traceidratio', '0x0', byParent, invalidArgument('0x0')],
    ['', '0', byParent, unusedArgument],
    ['always_on', '0', all, unusedArgument],
    ['jaeger_remote', '', byParent, invalidName('jaeger_remote')],
    ['constructor', '', byParent, invalidName('constructor')],
  ]
  for (const [name, argument, recorded, warning] of cases)
    it(`"${name}" with the argument "${argument}" records ${recorded.join(', ') || 'nothing'}`, () => {
      const env = { ...endpoint, OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument }
      const isSampled = openSampler(readTraceSettings(env)?.sampler ?? assert.fail())
      const parent = { traceId: parentTraceId, spanId: parentSpanId }
      const decisions = {
        new: isSampled(newTraceId(), undefined),
        sampled: isSampled(parentTraceId, { ...parent, sampled: true }),
        unsampled: isSampled(parentTraceId, { ...parent, sampled: false }),
      }
      assert.deepEqual(
        Object.entries(decisions).flatMap(([kind, isRecorded]) => (isRecorded ? [kind] : [])),
        recorded,
      )
      assert.match(traceWarnings(env).join('\n'), warning ?? /^$/)
    })

  it('records the traces whose ids end with the highest values, so a higher ratio records all traces of a lower one', () => {
    const sampleAt = (ratio: number, end: string): boolean =>
      openSampler({ parentBased: false, ratio })(`${'0'.repeat(18)}${end}`, undefined)
    assert.deepEqual(
      ['00000000000000', '7fffffffffffff', '80000000000000', 'ffffffffffffff'].map((end) => sampleAt(0.5, end)),
      [false, false, true, true],
    )
    assert.deepEqual(
      ['fffffffffffffe', 'ffffffffffffff'].map((end) => sampleAt(2 ** -56, end)),
      [false, true],
    )
    const tenth = openSampler({ parentBased: false, ratio: 0.1 })
    const recordedCount = Array.from({ length: 20_000 }, newTraceId).filter((id) => tenth(id, undefined)).length
    // 2,000 are expected, with a standard deviation of 42.
    assert.ok(Math.abs(recordedCount - 2_000) < 300, String(recordedCount))
  })
})

describe('OTEL_SDK_DISABLED', () => {
  const cases: [value: string, isEnabled: boolean, warning: RegExp][] = [
    ['true', false, /^$/],
    ['TRUE', false, /^$/],
    ['false', true, /^$/],
    ['', true, /^$/],
    ['1', true, /^OTEL_SDK_DISABLED must be true or false, not "1": traces stay enabled\.$/],
  ]
  for (const [value, isEnabled, warning] of cases)
    it(`"${value}" ${isEnabled ? 'leaves traces on' : 'turns traces off'}`, () => {
      const env = { ...endpoint, OTEL_SDK_DISABLED: value }
      assert.equal(readTraceSettings(env) !== undefined, isEnabled)
      assert.match(traceWarnings(env).join(), warning)
    })
})
