import { agreementOf, type CountryCode } from './row.ts'

/** A claim at the end of a month in which it was filed or changed. Days are YYYY-MM-DD in the agency's zone. */
export type ClaimFacts = {
  id: string
  /** The number of its last step in the month. Step 1 is the filing. */
  step: number
  reference: string
  /** The key of its claim type in the catalogue. */
  cause: string
  filedOn: string
  filedNow: boolean
  changedOn: string
  incidentOn: string
  state: string
  misfiled: boolean
  unit: string
  product: string
  certificate: string
  version: number | null
  riskStart: string
  riskEnd: string
  insuredName: string
  insuredCountry: number
}

/** The columns of a bordereau of claims in order, under the names that programs read. */
export const claimColumns = {
  rowId: 'text',
  periodStart: 'day',
  periodEnd: 'day',
  unit: 'text',
  agreementNo: 'text',
  product: 'text',
  class: 'text',
  riskCode: 'text',
  certificate: 'text',
  version: 'number',
  insuredName: 'text',
  insuredCountry: 'text',
  riskStart: 'day',
  riskEnd: 'day',
  claim: 'text',
  cause: 'text',
  incidentDate: 'day',
  filedOn: 'day',
  change: 'text',
  changedOn: 'day',
  state: 'text',
  misfiled: 'text',
} as const satisfies Record<string, 'text' | 'day' | 'number'>

export type ClaimRow = Record<keyof typeof claimColumns, string | number | null>

export function claimRow(facts: ClaimFacts, period: { from: string; to: string }, codeOf: CountryCode): ClaimRow {
  const { agreement, class: insurance, risk } = agreementOf(facts.product)
  return {
    rowId: `${facts.id}/${facts.step}`,
    periodStart: period.from,
    periodEnd: period.to,
    unit: facts.unit,
    agreementNo: agreement,
    product: facts.product,
    class: insurance,
    riskCode: risk,
    certificate: facts.certificate,
    version: facts.version,
    insuredName: facts.insuredName,
    insuredCountry: codeOf(facts.insuredCountry),
    riskStart: facts.riskStart,
    riskEnd: facts.riskEnd,
    claim: facts.reference,
    cause: facts.cause,
    incidentDate: facts.incidentOn,
    filedOn: facts.filedOn,
    change: facts.filedNow ? 'filed' : 'changed',
    changedOn: facts.changedOn,
    state: facts.state,
    misfiled: facts.misfiled ? 'yes' : null,
  }
}

/** The counts of a bordereau of claims: all rows, those filed in the month, and the claims by state. */
export type ClaimCounts = { rows: number; filed: number; states: Record<string, number> }

export const noClaims: ClaimCounts = { rows: 0, filed: 0, states: {} }

export const withClaim = ({ rows, filed, states }: ClaimCounts, { filedNow, state }: ClaimFacts): ClaimCounts => ({
  rows: rows + 1,
  filed: filed + (filedNow ? 1 : 0),
  states: { ...states, [state]: (states[state] ?? 0) + 1 },
})
