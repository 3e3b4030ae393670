/**
 * Returns the forms under which lists may contain a typed postal code, without blanks and dashes: the code itself, and its first part. Britain and
 * Portugal list most codes by the first part only, and Italy those of large cities.
 */
export function listedForms(code: string, country: number): string[] {
  const whole = code.toUpperCase().replaceAll(/[\s-]/g, '')
  if (country === 380 && whole.length === 5) return [whole, whole.slice(0, 4), whole.slice(0, 3)]
  if (country === 826 && whole.length > 4) return [whole, whole.slice(0, -3)]
  return country === 620 && whole.length > 4 ? [whole, whole.slice(0, 4)] : [whole]
}

/**
 * False if a code is unlikely for a province: no city has it, and at most one in fifty of their codes begins alike. True for a province without
 * codes. Lists lack the codes of companies and post-office boxes, and a few villages have a code of the next province.
 */
export function belongsToProvince(code: string, country: number, cities: readonly { zipCodes: readonly string[] }[]): boolean {
  const codes = cities.flatMap(({ zipCodes }) => zipCodes.map(each => listedForms(each, country)[0] ?? ''))
  const forms = listedForms(code, country)
  if (codes.length === 0 || forms[0] === '' || codes.some(each => forms.includes(each))) return true
  const beginning = beginningOf(forms[0] ?? '')
  return codes.filter(each => beginningOf(each) === beginning).length * 50 > codes.length
}

/** Returns the letters of a British code, else the first two digits: the province in Spain, the department in France. */
const beginningOf = (code: string): string => /^[A-Z]+/.exec(code)?.[0] ?? code.slice(0, 2)
