/** The maximum digits of the whole part, with which cents stay exact. */
const written = /^(\d{1,11})(?:\.(\d{1,2})0{0,3})?$/

/** Reads an amount as banks write it: digits, a point, at most two decimals, no sign. ISO 20022 allows up to five decimals: those beyond are zeros. */
export function readAmount(text: string): number | undefined {
  const [, units, decimals = ''] = written.exec(text.trim()) ?? []
  return units === undefined ? undefined : Number(units) * 100 + Number(decimals.padEnd(2, '0'))
}
