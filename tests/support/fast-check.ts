/** fast-check with the same cases in every run. To try other cases, set FAST_CHECK_SEED to another number. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 1) })

export { fc }
