import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type * as calls from '#common/administration/calls.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { Download } from '#server/kit/http/download.ts'
import type { World } from '#server/kit/app-context.ts'
import type { AllUnits } from '#server/kit/scope.ts'
import type { DownloadHandler } from '#server/kit/serve.ts'
import { audit } from '#server/session/public.ts'
import { findBordereau, partsFrom } from './queries.ts'
import { refuseUnwritten } from './release.ts'

/** How many parts are read at a time: a megabyte. */
const batch = 32

const mediaTypes: Record<string, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** Sends a file of a bordereau unchanged, while it is read. */
export const bordereauFile =
  (world: World): DownloadHandler<typeof calls.bordereauFile> =>
  async input => {
    const { ask, caller } = input
    const { allUnits, userId } = caller
    const row = await world.database.acrossUnits(allUnits, async tx => {
      const found = await findBordereau(tx, ask.uuid)
      if (found) refuseUnwritten(found)
      if (!found?.files.some(({ name }) => name === ask.name)) throw new Refusal('request.not_found')
      await audit(world, tx, input, {
        action: 'administration.bordereau_downloaded',
        outcome: 'done',
        userId,
        object: found.id,
        details: { period: found.month.slice(0, 7), files: ask.name },
      })
      return found
    })
    const packed = Readable.from(partsOf(world, allUnits, ask), { objectMode: false })
    const content = packed.pipe(createGunzip())
    // Otherwise a client that leaves would keep the reader open, and a failed reader the client.
    packed.on('error', error => content.destroy(error))
    content.on('close', () => packed.destroy())
    return new Download({
      name: `${row.month.slice(0, 7)}-${ask.name}`,
      mediaType: mediaTypes[ask.name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      content,
    })
  }

async function* partsOf(world: World, allUnits: AllUnits, { uuid, name }: { uuid: string; name: string }): AsyncGenerator<Buffer> {
  for (let position = 0; ; position += batch) {
    const parts = await world.database.acrossUnits(allUnits, tx => partsFrom(tx, uuid, name, position, batch))
    yield* parts
    if (parts.length < batch) return
  }
}
