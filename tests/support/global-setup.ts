import { openRun } from './database.ts'

let closeRun: (() => Promise<void>) | undefined

export const globalSetup = async (): Promise<void> => {
  closeRun = await openRun(process.env.DATABASE_URL?.trim() || 'postgres://postgres@127.0.0.1:5432/postgres')
}

export const globalTeardown = async (): Promise<void> => {
  await closeRun?.()
}
