/** In charge of running the command line inside a test: its arguments, environment and input in, its words and exit code out. */
import { Readable, Writable } from 'node:stream'
import { runProgram } from '../../src/commands/program.ts'

export interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

const gather = (): { stream: Writable; text: () => string } => {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') }
}

export const muster = async (
  args: readonly string[],
  env: Record<string, string>,
  input: string | Iterable<Uint8Array> = '',
): Promise<Said> => {
  const out = gather()
  const err = gather()
  const stdin = Readable.from(typeof input === 'string' ? [Buffer.from(input)] : input)
  const code = await runProgram(args, env, { stdin, stdout: out.stream, stderr: err.stream })
  return { code, out: out.text(), err: err.text() }
}
