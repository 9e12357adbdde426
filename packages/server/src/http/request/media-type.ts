export const jsonType = 'application/json'
