import { setInteractionModality } from 'react-aria-components'

/** Says that the reader uses a pointer, so that no focus ring is shown: React Aria does not see the wheel. */
export const reportPointer = (): void => setInteractionModality('pointer')
