import type { updateAgency as Call } from '#common/agency/calls.ts'
import { logoBytes, printedIban, profileProblems } from '#common/agency/profile.ts'
import type { RequestOf } from '#common/kit/call.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { Files, Renderer } from '#server/documents/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import type { Scope } from '#server/kit/scope.ts'
import { oneLine } from '#server/kit/mail-address.ts'
import { audit } from '#server/session/public.ts'
import { type TaskOf, TooHeavy, type Workers } from '#server/kit/workers/workers.ts'
import type { logoIn } from './logo/clean.ts'
import { dropUnused, filePath } from './logo/remove.ts'
import { changesBetween, describeProfile, versionOf } from './profile.ts'
import { findProfile, lockProfile, insertChange, saveProfile } from './queries.ts'

/** Logos up to this size are part of the settings, and so of every first response. Larger ones are files. */
const inlineMost = 32 * 1024

type ProfileRequest = RequestOf<typeof Call>

/** Updates the agency's profile. Omitted fields stay. An outdated version is refused, with the present profile. */
export const updateAgency =
  (world: World, files: Files, canDraw: Renderer['canDraw']): Handler<typeof Call> =>
  async input => {
    const { ask, caller } = input
    const { scope } = caller.unit
    const current = await world.database.inScope(scope, tx => findProfile(tx))
    const entered = cleaned(ask, current.settings)
    const problems = profileProblems(entered, current.settings)
    if (problems.length > 0) throw refuseFields(problems)
    refuseIfChanged(ask, current)
    const logo =
      ask.logo === undefined || ask.logo === current.settings.logo
        ? undefined
        : await storeLogo({ workers: world.workers, files, canDraw }, scope, caller.userId, ask.logo)
    const outcome = await world.database.inScope(scope, async tx => {
      const stored = await lockProfile(tx)
      const isFresh = ask.version === undefined || ask.version === versionOf(stored)
      const settings: UnitSettings = { ...stored.settings, ...cleaned(ask, stored.settings), ...(logo ? { logo } : {}) }
      const changes = isFresh ? changesBetween(stored.settings, settings) : []
      // One of two logos is unused now: the former one, or the new one if nothing changed.
      if (logo) await dropUnused(files, tx, changes.length > 0 ? stored.settings.logo : logo)
      if (changes.length === 0) return { stored, isFresh }
      const [version, now] = [stored.version + 1, world.clock.now()]
      await saveProfile(tx, settings, version, now)
      await insertChange(tx, { version, at: now, userId: caller.userId, changes })
      const fields = changes.map(({ field }) => field)
      await audit(world, tx, input, { action: 'agency.update', outcome: 'done', object: scope.businessUnitId, details: { fields } })
      return { stored: { settings, version, updatedAt: now }, isFresh }
    })
    if (!outcome.isFresh) throw new Refusal('agency.changed', { data: describeProfile(outcome.stored) })
    return describeProfile(outcome.stored)
  }

function refuseIfChanged({ version }: ProfileRequest, stored: Parameters<typeof describeProfile>[0]): void {
  if (version !== undefined && version !== versionOf(stored)) throw new Refusal('agency.changed', { data: describeProfile(stored) })
}

/** Makes each value one line, as it is shown and printed. */
function cleaned({ address, contactInfo, billingInfo }: ProfileRequest, stored: UnitSettings) {
  const lines = <T extends object>(part: T): T =>
    // Safe: each entry keeps its name, and each value its type.
    Object.fromEntries(Object.entries(part).map(([name, value]) => [name, typeof value === 'string' ? oneLine(value, 300) : value])) as T
  return {
    address: address ? lines(address) : stored.address,
    contactInfo: contactInfo ? lines(contactInfo) : stored.contactInfo,
    billingInfo: billingInfo ? { ...lines(billingInfo), iban: printedIban(billingInfo.iban).replaceAll(' ', '') } : stored.billingInfo,
  }
}

const logoTask: TaskOf<typeof logoIn> = { module: new URL('logo/clean.ts', import.meta.url).href, name: 'logoIn' }

type Deps = { workers: Workers; files: Files; canDraw: Renderer['canDraw'] }

async function storeLogo({ workers, files, canDraw }: Deps, scope: Scope, userId: string, dataUrl: string): Promise<string> {
  const picture = await workers.run(userId, logoTask, dataUrl).catch((error: unknown) => {
    if (error instanceof TooHeavy) return undefined
    throw error
  })
  if (picture === 'large')
    throw refuseFields([{ path: 'logo', rule: 'size', key: 'agency.fault.logo_size', params: { kilobytes: logoBytes / 1024 } }])
  if (picture === 'numbers') throw refuseFields([{ path: 'logo', rule: 'numbers', key: 'agency.fault.logo_numbers' }])
  if (!picture) throw refuseFields([{ path: 'logo', rule: 'picture', key: 'agency.fault.logo' }])
  const { mediaType, content } = picture
  const address = `data:${mediaType};base64,${content.toString('base64')}`
  if (!(await canDraw(scope.businessUnitId, address))) throw refuseFields([{ path: 'logo', rule: 'heavy', key: 'agency.fault.logo_heavy' }])
  if (content.length <= inlineMost) return address
  const { id } = await files.put(scope, { kind: 'logo', name: `logo.${mediaType.slice(6, 9)}`, mediaType, content, userId })
  return filePath + id
}
