import { today } from '../format/dates.ts'
import { useAsOf } from '../service/use-as-of.ts'

/** Whether the screen shows another day than today, so that figures of the present have to say so. */
export const useIsAnotherDay = (): boolean => useAsOf() !== today()

/** Stands beside figures of the present, unless the day of the screen is today. */
export const Now = () => (useIsAnotherDay() ? <span className="muted">now</span> : undefined)
