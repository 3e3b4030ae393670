import { premiumIn, taxName, totalIn } from '#common/quotes/price-lines.ts'
import type * as calls from '#common/changes/calls.ts'
import { type Fields, fieldsChanged } from '#common/changes/asked/fields.ts'
import type { Version } from '#common/changes/state.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { fromCents } from '#common/kit/money.ts'
import type { Locale } from '#common/kit/locales.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { Taxes } from '#common/products/tariff.ts'
import { sentOf } from '#common/quotes/trip-codecs.ts'
import type { Handler } from '#server/kit/serve.ts'
import {
  editionOf,
  findPolicy,
  historyOf,
  isVisible,
  type PolicyRow,
  type Sales,
  seesCommission,
  storedVersion,
} from '#server/policies/public.ts'
import { contentSold } from '#server/products/public.ts'
import { contentsOf, wordsOf } from './load.ts'
import { auditView, demandSold } from './previews.ts'
import { type MovementRow, movementsOf, versionsOf } from './queries.ts'

type Shown = ResponseSentOf<typeof calls.policyVersions>[number]

/** Returns the versions of a sold policy from the sale on, each as it stood. They hold people's data, so the view is audited. */
export const policyVersions =
  ({ world, documents }: Sales): Handler<typeof calls.policyVersions> =>
  async input => {
    const { ask, caller, locale } = input
    const shown = await world.database.inScope(caller.unit.scope, async tx => {
      const row = await findPolicy(tx, ask.policyUuid)
      if (!isVisible(caller, row)) throw new Refusal('request.not_found')
      demandSold(row)
      const movements = new Map((await movementsOf(tx, row.id)).map(movement => [movement.to_version, movement]))
      const sale = (await historyOf(tx, row.id)).find(({ what }) => what === 'purchased')
      const files = await documents.listAll(tx, row)
      const versions: Shown[] = []
      let was: Fields | undefined
      const sold = row.sold_version ?? row.version
      for (const { version, at, pax_number: people } of await versionsOf(tx, row.id)) {
        if (version < sold) continue
        const stored = await storedVersion(world.secrets, tx, { id: row.id, version })
        const contents = await contentsOf(tx, row, stored)
        const { taxes } = (await contentSold(tx, editionOf(stored.version, row.product_id), stored.hashes)).common.content
        const is = { ...contents, ...wordsOf(row, stored.version) }
        const step = stepTo(row, movements.get(version), { at, who: sale?.user_name ?? '' }, seesCommission(caller))
        const fields = was ? fieldsChanged(was, is) : []
        versions.push({
          version,
          number: version - sold + 1,
          people,
          ...step,
          ...asItStood(contents, taxes, locale),
          fields,
          files: files.filter(file => file.version === version),
        })
        was = is
      }
      return versions
    })
    await auditView(world, input)
    return shown
  }

/** Returns the step that led to a version: its movement, or the sale if there is none. */
const stepTo = (
  { purchased_at: soldAt }: PolicyRow,
  movement: MovementRow | undefined,
  sale: { at: Date; who: string },
  earns: boolean,
) => ({
  at: (movement?.at ?? soldAt ?? sale.at).toISOString(),
  who: movement?.user_name ?? sale.who,
  kind: movement?.kind ?? ('sale' as const),
  basis: movement?.basis ?? null,
  reason: movement?.reason ?? null,
  note: movement?.note ?? null,
  difference: fromCents(movement?.difference_cents ?? 0),
  kept: fromCents(movement?.kept_cents ?? 0),
  commission: earns && movement ? fromCents(movement.commission_cents) : null,
})

function asItStood({ trip, people, charged }: Version, taxes: Taxes, locale: Locale) {
  const { startDate, endDate, ...stay } = sentOf(trip)
  return {
    startDate,
    endDate,
    trip: stay,
    total: fromCents(totalIn(charged)),
    users: people.map(person => ({ ...person })),
    premium: fromCents(premiumIn(charged)),
    taxes: charged.taxes.map(({ code, label, amount }) => ({
      code,
      label: taxName(taxes, code, locale) ?? label,
      amount: fromCents(amount),
    })),
  }
}
