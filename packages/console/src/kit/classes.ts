/** Joins class names. Those that do not apply are false or undefined. */
export const classes = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(' ')
