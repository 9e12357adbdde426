/** Rows of totals, which spreadsheets and payroll programs write below the records. */

const words: ReadonlySet<string> = new Set(
  'summe,summen,gesamt,gesamtsumme,gesamtergebnis,zwischensumme,endsumme,insgesamt,total,totals,grand total,subtotal,sum,sub total,totale,totaal,totaux,ergebnis,teilergebnis'.split(
    ',',
  ),
)

/** The totals of groups that Excel adds, such as "Vertrieb Ergebnis". */
const groupTotal = / (?:ergebnis|total|summe)$/

/** Whether the first value of a row is a word such as "Summe", so that the row is probably no record. */
export const isTotalsWord = (text: string): boolean => {
  const word = text.trim().replace(/\s*:$/, '').toLowerCase()
  return words.has(word) || groupTotal.test(word)
}
