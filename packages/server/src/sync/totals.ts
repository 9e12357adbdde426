/** Rows of totals, which spreadsheets and payroll programs write below the records. */

const words: ReadonlySet<string> = new Set(
  'summe,summen,gesamt,gesamtsumme,gesamtergebnis,zwischensumme,endsumme,insgesamt,total,totals,grand total,subtotal,sum,sub total,totale,totaal,totaux'.split(
    ',',
  ),
)

/** Whether the first value of a row is a word such as "Summe", so that the row is probably no record. */
export const isTotalsWord = (text: string): boolean => words.has(text.trim().replace(/\s*:$/, '').toLowerCase())
