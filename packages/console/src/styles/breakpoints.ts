/**
 * The widths of the window, in pixels, at which the layout changes. Style sheets cannot read these constants: there,
 * `(min-width: 700px)` and `(max-width: 699px)` mean the breakpoint `phone`. A test compares the numbers.
 */
export const breakpoints = {
  /** Narrower windows are phones: one column, and the navigation at the bottom. */
  phone: 700,
  /** From here on, the filters of People stand beside the list. */
  filters: 960,
  /** From here on, the tools of the top bar have words. */
  topBar: 1_000,
  /** From here on, screens have two columns. */
  columns: 1_200,
  /** From here on, People has room for the filters, the list and a record. */
  wide: 1_600,
} as const

/** The widths of parts of a screen, in pixels, at which they change their form. */
export const partWidths = {
  /** In a narrower list, people are lines instead of rows of a table. */
  peopleTable: 440,
  /** On a narrower strip, the days of attendance are smaller. */
  attendanceStrip: 560,
} as const
