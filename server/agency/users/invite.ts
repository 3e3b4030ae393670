import type * as calls from '#common/agency/calls.ts'
import { reaches } from '#common/session/roles.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { fieldProblems } from '#common/kit/validators/all.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import { type UnitTx, within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { isOneAddress } from '#server/kit/mail-address.ts'
import { queueMail } from '#server/mail/public.ts'
import { audit, notingAdministrator, personName, voidInvitations } from '#server/session/public.ts'
import { describeMember } from './describe.ts'
import { permissionsNow, auditRefused, withMember } from './locked-members.ts'
import { countActionsSince, deleteMember, findMember, lockMembers, insertMember, userOf } from './queries.ts'

const invited = 'agency.user_invited'
/** The most invitations that a unit may mail in an hour. */
const invitationsAnHour = 60
const hourMs = 3_600_000

/** Invites a user, who becomes a member on accepting. The response is the same whether or not the address has a user already. */
export const inviteUser =
  (world: World): Handler<typeof calls.inviteUser> =>
  async input => {
    const { ask, caller } = input
    const { name, email, roles } = { name: personName(ask.name), email: ask.email.trim().toLowerCase(), roles: [...new Set(ask.roles)] }
    refuseUnwritable(name, email)
    return auditRefused(world, input, invited, undefined, () =>
      world.database.asService(async whole => {
        const tx = within(whole, caller.unit.scope)
        if (!reaches(permissionsNow(caller, await lockMembers(tx)), roles)) throw new Refusal('agency.above_own')
        const now = world.realTime.now()
        const userId = await userOf(whole, { id: world.ids.next(), email, name, created_at: now })
        const membership = { user_id: userId, roles, active: false, rank: 0, created_at: now, invited_at: now, invited_name: name }
        const isNew = await notingAdministrator(world, whole, input, userId, () => insertMember(tx, membership))
        if (!isNew) throw refuseFields([{ path: 'email', rule: 'unique', key: 'agency.fault.email_known' }])
        await send(world, tx, caller, { userId, name, email })
        await audit(world, tx, input, { action: invited, outcome: 'done', object: userId, details: { email, roles } })
        return describeById(tx, caller, userId)
      }),
    )
  }

function refuseUnwritable(name: string, email: string): void {
  const context = { locale: 'en-EN', today: '' } as const
  const problems = [...fieldProblems('name', name, ['required'], context), ...fieldProblems('email', email, ['required', 'email'], context)]
  if (problems.length === 0 && !isOneAddress(email)) problems.push({ path: 'email', rule: 'email', key: 'validation.email' })
  if (problems.length > 0) throw refuseFields(problems)
}

export const inviteAgain =
  (world: World): Handler<typeof calls.inviteAgain> =>
  async input =>
    withMember(world, input, invited, input.ask.uuid, async ({ tx, target }) => {
      if (!target.invited) throw new Refusal('agency.not_invited')
      await send(world, tx, input.caller, target)
      await audit(world, tx, input, { action: invited, outcome: 'done', object: target.userId, details: { again: true } })
      return describeById(tx, input.caller, target.userId)
    })

export const withdrawInvitation =
  (world: World): Handler<typeof calls.withdrawInvitation> =>
  async input =>
    withMember(world, input, 'agency.invitation_withdrawn', input.ask.uuid, async ({ tx, target }) => {
      if (!target.invited) throw new Refusal('agency.not_invited')
      await voidInvitations(tx, target.userId, world.realTime.now())
      await deleteMember(tx, target.userId)
      const entry = { action: 'agency.invitation_withdrawn', outcome: 'done' as const, object: target.userId }
      await audit(world, tx, input, { ...entry, details: { email: target.email } })
      return { withdrawn: true }
    })

type Invited = { userId: string; name: string; email: string }

async function send(world: World, tx: UnitTx, { name: inviter }: CallerInUnit, to: Invited): Promise<void> {
  const lately = await countActionsSince(tx, invited, new Date(world.realTime.now().getTime() - hourMs))
  if (lately >= invitationsAnHour) throw new Refusal('request.too_many', { retryAfter: hourMs / 1000 })
  const { locale } = await unitSettings(tx)
  await queueMail(world, tx, {
    to: { name: to.name, address: to.email },
    template: 'agency_invitation',
    locale,
    params: { name: to.name, inviter },
    invites: to.userId,
  })
}

async function describeById(tx: UnitTx, caller: CallerInUnit, userId: string) {
  const member = await findMember(tx, userId)
  if (!member) throw new Refusal('request.not_found')
  return describeMember(caller, member)
}
