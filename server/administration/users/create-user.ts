import type * as calls from '#common/administration/calls.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import { fieldProblems } from '#common/kit/validators/all.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import { type UnitTx, within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { isOneAddress } from '#server/kit/mail-address.ts'
import { queueMail } from '#server/mail/public.ts'
import { audit, notingAdministrator, signInKind, unitForAdministration } from '#server/session/public.ts'
import { describeUser } from './describe.ts'
import { areUnits, insertUser, setMembership } from './queries.ts'

/** Creates a user for one unit or more. The invitation comes from the first unit and leads to choosing a password. */
export const createUser =
  (world: World): Handler<typeof calls.createUser> =>
  async input => {
    const { ask, caller } = input
    const { allUnits, userId } = caller
    const name = personName(ask.name)
    const email = ask.email.trim().toLowerCase()
    const problems = fieldProblems('email', email, ['required', 'email'], { locale: 'en-EN', today: '' })
    if (problems.length > 0 || !isOneAddress(email))
      throw refuseFields(problems.length > 0 ? problems : [{ path: 'email', rule: 'email', key: 'validation.email' }])
    return world.database.acrossUnits(allUnits, async tx => {
      const units = ask.businessUnits.map(({ uuid }) => uuid)
      if (!(await areUnits(tx, units))) throw refuseFields([{ path: 'businessUnits', rule: 'known', key: 'administration.fault.unit' }])
      const now = world.realTime.now()
      const made = await insertUser(tx, {
        id: world.ids.next(),
        email,
        name,
        password_hash: null,
        created_at: now,
      })
      if (!made) throw refuseFields([{ path: 'email', rule: 'unique', key: 'administration.fault.email_taken' }])
      await notingAdministrator(world, tx, input, made.id, async () => {
        for (const [rank, { uuid, roles, active }] of ask.businessUnits.entries())
          await setMembership(tx, { business_unit_id: uuid, user_id: made.id, roles, active, rank, created_at: now })
      })
      const [first] = ask.businessUnits
      const unit = within(tx, unitForAdministration(allUnits, first?.uuid ?? ''))
      // With an external sign-in host there is no password to choose.
      if (signInKind(world.config) === 'password') await invite(world, unit, { id: made.id, name, email })
      const entry = {
        action: 'administration.user_created',
        outcome: 'done' as const,
        userId,
        businessUnitId: first?.uuid,
        object: made.id,
      }
      await audit(world, tx, input, { ...entry, details: { name, email, businessUnits: ask.businessUnits } })
      return describeUser(world, tx, made.id)
    })
  }

async function invite(world: World, tx: UnitTx, { id, name, email }: { id: string; name: string; email: string }): Promise<void> {
  const { locale } = await unitSettings(tx)
  const to = { name, address: email }
  await queueMail(world, tx, { to, template: 'invitation', locale, params: { name }, passwordOf: id })
}

/** Returns a name as it is stored. Throws if it is empty. */
export function personName(text: string): string {
  const problems = fieldProblems('name', text, ['required'], { locale: 'en-EN', today: '' })
  if (problems.length > 0) throw refuseFields(problems)
  return text.trim()
}
