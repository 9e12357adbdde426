/** An error caused by wrong options or a wrong database. The message tells the user how to correct it. */
export class DemoDataError extends Error {}
