import { keepParameters } from '../../search-parameters.ts'

/**
 * `month`: as in `2026-11`. `by=manager`: teams instead of departments. `dept_id`, `manager_id`: the open one, or `none`.
 * `offset`: the first of its requests to show. `all`: all departments or teams instead of the largest.
 */
export const leaveSearch = keepParameters('month', 'by', 'dept_id', 'manager_id', 'offset', 'all')

export type LeaveSearch = ReturnType<typeof leaveSearch>
