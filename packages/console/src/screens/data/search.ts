/**
 * The parameters of the list in the API, under the same names, and those of the screen itself, which begin with an
 * underscore: `_open` (id of the record in the drawer), `_row` (the first visible row) and `_facets`. The columns are
 * the parameter `fields` of the API.
 */
export const dataSearch = (search: Record<string, unknown>): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
