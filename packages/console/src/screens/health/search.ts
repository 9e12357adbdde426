import { keepParameters } from '../../search-parameters.ts'

export const healthSearch = keepParameters('rule')
