export interface NamedPerson {
  readonly id: number
  readonly first_name: string | null
  readonly last_name: string | null
}

/** Undefined if the name is withheld or missing. */
export const personName = ({ first_name, last_name }: NamedPerson): string | undefined => {
  const name = [first_name, last_name].filter((part) => part !== null && part !== '').join(' ')
  return name === '' ? undefined : name
}
