import { keepParameters } from '../../search-parameters.ts'

export const headcountSearch = keepParameters('from', 'to', 'by')
