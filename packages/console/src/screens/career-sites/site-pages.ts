/** A site has up to a hundred elements, and a screen at most 3,000. */
export const sitesPerPage = 10
export const postingsPerPage = 50
