import { formatDay } from '../format/dates.ts'

/** From which day on the changes behind the figures are recorded, as responses of the API say it. */
export const KnownSince = ({ day }: { readonly day: string | undefined }) =>
  day === undefined ? undefined : <>Known since {formatDay(day)}.</>
