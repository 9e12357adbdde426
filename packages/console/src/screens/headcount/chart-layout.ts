/** Both charts of months have the same margins, so that the months stand above each other. */
export const leftMargin = 44
export const rightMargin = 60
