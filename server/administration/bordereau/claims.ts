import {
  type ClaimCounts,
  claimColumns,
  type ClaimFacts,
  type ClaimRow,
  claimRow,
  noClaims,
  withClaim,
} from '#common/accounting/bordereau/claim-row.ts'
import { daysOf } from '#common/accounting/period.ts'
import { countryCode } from '#common/geography/countries.ts'
import { readDate } from '#common/kit/dates.ts'
import { csvLine, openPacking, pseudonyms, type UnitWindow, windowOfUnit } from '#server/accounting/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { longestSheet } from '#server/kit/workbook/sheet.ts'
import { workbook } from '#server/kit/workbook/workbook.ts'
import { type ClaimOfMonth, claimsAfter } from '#server/tickets/public.ts'
import type { BordereauRow } from './queries.ts'
import type { Sink } from './sink.ts'

/** How many claims are read in one short transaction and written at a time. */
const usualBatch = 500

// Safe: the object has exactly these keys.
const names = Object.keys(claimColumns) as (keyof ClaimRow)[]
const columns = names.map(name => ({ header: name, width: Math.max(12, name.length + 2), kind: claimColumns[name] }))

/** Starts a file that spreadsheets read as UTF-8. */
const utf8 = '\uFEFF'

/** Writes the claims of units' months in three formats while they are read once. Claims are few beside movements, so it takes no thread. */
export async function writeClaims(
  world: World,
  { month: firstDay, units }: Pick<BordereauRow, 'month' | 'units'>,
  sink: Sink,
  batch = usualBatch,
) {
  const month = firstDay.slice(0, 7)
  const pieces: { name: string; content: Buffer }[] = []
  const open = (name: string, level?: number) => openPacking(name, piece => pieces.push(piece), level)
  const [csv, json, sheet] = [open('claims.csv'), open('claims.json'), open('claims.xlsx', 0)]
  // Pieces wait in memory for one batch at most.
  const store = async () => {
    for (const { name, content } of pieces.splice(0)) await sink.store(name, content)
  }
  let counts: ClaimCounts = noClaims
  async function* cells(): AsyncGenerator<(string | number)[][]> {
    for await (const claims of batchesOf(world, month, units, batch)) {
      const rows = claims.map(facts => claimRow(facts, daysOf({ from: month, to: month }), countryCode))
      await csv.write(rows.map(row => csvLine(names.map(name => row[name]))).join(''))
      await json.write(rows.map((row, index) => `${counts.rows + index === 0 ? '[\n' : ',\n'}${JSON.stringify(row)}`).join(''))
      for (const facts of claims) counts = withClaim(counts, facts)
      await store()
      yield rows.map(row => names.map(name => row[name] ?? ''))
    }
  }
  await csv.write(`${utf8}${csvLine(names)}`)
  for await (const piece of workbook({ name: month, columns, rows: cells(), longest: longestSheet, more: '…' })) await sheet.write(piece)
  await json.write(counts.rows === 0 ? '[]\n' : '\n]\n')
  const control = open('control.json')
  await control.write(`${JSON.stringify({ period: month, ...counts }, null, 2)}\n`)
  const files = await Promise.all([csv, json, sheet, control].map(file => file.end()))
  await store()
  return { sums: [], claims: counts, files }
}

/** Reads claims in batches, each in a short transaction, so that no number of them fills the memory. */
async function* batchesOf(world: World, month: string, units: readonly string[], batch: number): AsyncGenerator<ClaimFacts[]> {
  const nameOf = pseudonyms(world.secrets.derive('insured names'))
  for (const id of units) {
    const unit = await windowOfUnit(world, id, month)
    let last: string | undefined
    do {
      const claims: ClaimOfMonth[] = await world.database.inScope(unit.scope, tx => claimsAfter(world.secrets, tx, unit, last, batch))
      if (claims.length > 0) yield claims.map(claim => factsOf(claim, unit, nameOf))
      last = claims.length < batch ? undefined : claims.at(-1)?.id
    } while (last !== undefined)
  }
}

/** Insured people of claims have pseudonyms whatever the contract says, as claims may be about their health. */
const factsOf = (claim: ClaimOfMonth, { scope, unit, country }: UnitWindow, nameOf: (person: string) => string): ClaimFacts => ({
  id: claim.id,
  step: claim.step,
  reference: claim.reference,
  cause: claim.cause,
  filedOn: claim.filed_on,
  filedNow: claim.filed_now,
  changedOn: claim.changed_on,
  incidentOn: claim.incident_on,
  state: claim.status,
  misfiled: claim.misfiled,
  unit,
  product: claim.product ?? '',
  certificate: claim.certificate ?? '',
  version: claim.version,
  riskStart: readDate(claim.start_date ?? '') ?? '',
  riskEnd: readDate(claim.end_date ?? '') ?? '',
  insuredName: nameOf(`${scope.businessUnitId} ${claim.person}`),
  insuredCountry: claim.residence_country ?? country,
})
