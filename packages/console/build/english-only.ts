import type { Plugin } from 'vite'

/** The texts of React Aria in one language, such as `react-aria/dist/private/intl/calendar/de-DE.mjs`. */
const language = /\/react-(?:aria|stately|aria-components)\/dist\/private\/intl\/(?:[^/]+\/)?([a-z]{2}-[A-Z]{2})\.mjs$/

/** Leaves out the texts of React Aria in other languages: the console is in English, and they would be 34 times as much. */
export const englishOnly = (): Plugin => ({
  name: 'english-only',
  apply: 'build',
  enforce: 'pre',
  load: (id) => {
    const name = language.exec(id)?.[1]
    return name === undefined || name === 'en-US' ? undefined : 'export default {}'
  },
})
