/** Runs muster commands inside the test process, which is faster than starting a process for each. */
import { Readable, Writable } from 'node:stream'
import { runProgram } from '../../packages/server/src/commands/program.ts'

export interface CommandResult {
  readonly code: number
  readonly out: string
  readonly err: string
}

const collectOutput = (): { stream: Writable; text: () => string } => {
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
): Promise<CommandResult> => {
  const out = collectOutput()
  const err = collectOutput()
  const stdin = Readable.from(typeof input === 'string' ? [Buffer.from(input)] : input)
  const code = await runProgram(args, env, { stdin, stdout: out.stream, stderr: err.stream })
  return { code, out: out.text(), err: err.text() }
}
