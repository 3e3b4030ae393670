import { displayDate, today } from '#common/kit/dates.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { Words } from '#common/kit/words/words.ts'
import { stamped } from '../pdf/document.ts'
import { type DocumentFacts, editionOf, type ReadFacts } from '../pdf/facts.ts'
import type { Renderer } from '../typesetting/renderer.ts'
import { certificateBefore, type FileRow } from '../queries.ts'
import type { FindSource } from '../recreate/recreator.ts'

type Deps = { renderer: Renderer; readFacts: ReadFacts; sourceOfFile: FindSource }

/**
 * Returns the function that renders a replaced certificate with a mark across it, which names its valid successor. It is made at each opening: the
 * stored bytes stay those that the client got, and the mark is never out of date.
 */
export function markerOf(world: World, { renderer, readFacts, sourceOfFile }: Deps) {
  return async (scope: Scope, row: FileRow): Promise<Buffer | undefined> => {
    const source = await sourceOfFile(scope, row)
    const found = await world.database.inScope(scope, async tx => {
      const facts = row.policy_id ? await readFacts(tx, row.policy_id) : undefined
      return facts && { facts, holds: await certificateBefore(tx, facts.policy.id, facts.policy.version + 1) }
    })
    if (!source || !found) return undefined
    return renderer.renderAgain(
      scope.businessUnitId,
      stamped(source, markText(found.facts, found.holds, world.words(row.locale ?? found.facts.policy.locale))),
    )
  }
}

function markText({ policy, seller }: DocumentFacts, holds: number | undefined, words: Words): string {
  if (policy.endedAt) return words('documents.mark.cancelled', { date: displayDate(today(policy.endedAt, seller.timeZone)) ?? '' })
  return words('documents.mark.replaced', { version: editionOf({ ...policy, version: holds ?? policy.version }) })
}
