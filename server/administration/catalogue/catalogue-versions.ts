import type * as calls from '#common/administration/calls.ts'
import { languageOf } from '#common/kit/locales.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { compare } from './compare.ts'
import { contentsOf, versionRows } from './queries.ts'

/** Lists the catalogue's loads. Versions that came in at the same moment form one load. */
export const catalogueVersions =
  (world: World): Handler<typeof calls.catalogueVersions> =>
  async ({ caller: { allUnits }, locale }) => {
    const rows = await world.database.acrossUnits(allUnits, tx => versionRows(tx))
    const loads = Map.groupBy(rows, ({ loadedAt }) => loadedAt.toISOString())
    return {
      loads: [...loads].map(([loadedAt, versions]) => ({
        loadedAt,
        versions: versions.map(({ kind, productId, code, name, version, current }) => ({
          kind,
          productUuid: productId,
          code,
          name: name?.[languageOf(locale)] ?? code,
          version,
          loadedAt,
          current,
        })),
      })),
    }
  }

const mostShown = 300

export const catalogueChanges =
  (world: World): Handler<typeof calls.catalogueChanges> =>
  async ({ ask, caller: { allUnits } }) => {
    const contents = await world.database.acrossUnits(allUnits, tx => contentsOf(tx, ask.kind, ask.productUuid))
    const index = contents.findIndex(({ version }) => version === ask.version)
    const [before, after] = [contents[index - 1], contents[index]]
    if (!after) throw new Refusal('request.not_found')
    const changes = before ? compare(before.content, after.content) : []
    return { before: before?.version ?? null, total: changes.length, changes: changes.slice(0, mostShown) }
  }
