/** Where career sites are, below the host of the service. */
export const careersPath = '/careers'
