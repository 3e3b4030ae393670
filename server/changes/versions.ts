import type * as calls from '#common/changes/calls.ts'
import { fromCents } from '#common/kit/money.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { Handler } from '#server/kit/serve.ts'
import { findPolicy, historyOf, isVisible, type Sales, seesCommission } from '#server/policies/public.ts'
import { demandSold } from './previews.ts'
import { deedsOf, versionsOf } from './queries.ts'

/** Returns the versions of a sold policy from the sale on. */
export const policyVersions =
  ({ world, documents }: Sales): Handler<typeof calls.policyVersions> =>
  ({ ask, caller }) =>
    world.database.inScope(caller.unit.scope, async tx => {
      const row = await findPolicy(tx, ask.policyUuid)
      if (!isVisible(caller, row)) throw new Refusal('request.not_found')
      demandSold(row)
      const deeds = new Map((await deedsOf(tx, row.id)).map(deed => [deed.to_version, deed]))
      const sale = (await historyOf(tx, row.id)).find(({ what }) => what === 'purchased')
      const versions = (await versionsOf(tx, row.id)).filter(({ version }) => version >= (row.sold_version ?? row.version))
      const files = await documents.listAll(tx, row)
      return {
        versions: versions.map(({ version, at, pax_number: people, total_cents: total, content }) => {
          const deed = deeds.get(version)
          // Safe: registration.ts and write.ts write it.
          const { trip } = content as { trip: { startDate: string; endDate: string } }
          return {
            version,
            at: (deed?.at ?? row.purchased_at ?? at).toISOString(),
            who: deed?.user_name ?? sale?.user_name ?? '',
            kind: deed?.kind ?? ('sale' as const),
            basis: deed?.basis ?? null,
            reason: deed?.reason ?? null,
            note: deed?.note ?? null,
            startDate: trip.startDate,
            endDate: trip.endDate,
            people,
            total: fromCents(total),
            difference: fromCents(deed?.difference_cents ?? 0),
            kept: fromCents(deed?.kept_cents ?? 0),
            commission: seesCommission(caller) && deed ? fromCents(deed.commission_cents) : null,
            files: files.filter(file => file.version === version),
          }
        }),
      }
    })
