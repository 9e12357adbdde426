/** Loads the code of the search, which is a chunk of its own, before or when it is needed. */
export const loadSearchDialog = () => import('./SearchDialog.tsx')
