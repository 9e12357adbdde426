/** Parameters of requests as the values of a reference. */
export const ids = (value: string | undefined): string[] | null => value?.split(',') ?? null

/** In lower case. A doubled comma stands for a comma in a value. */
export const texts = (value: string | undefined): string[] | null =>
  value
    ?.toLowerCase()
    .split(/(?<!,),(?!,)/)
    .map((text) => text.replaceAll(',,', ',')) ?? null
