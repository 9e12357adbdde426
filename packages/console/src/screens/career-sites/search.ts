import { keepParameters } from '../../search-parameters.ts'

export const careerSitesSearch = keepParameters('offset')
export const careerSiteSearch = keepParameters('locale', 'reason', 'offset')

export type CareerSiteSearch = ReturnType<typeof careerSiteSearch>
