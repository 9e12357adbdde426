/** The language of the parts, and with it the direction of writing. */
export { I18nProvider as LocaleProvider } from 'react-aria-components'
