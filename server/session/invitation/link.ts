import type { UnitWithinTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { hashToken, mintToken } from '#server/session/tokens.ts'
import { insertInvitation, isInvited, voidInvitations } from './queries.ts'

/** Returns a single-use link to accept an invitation, or undefined if it is not open. Earlier links stop working. */
export async function invitationLink(world: World, tx: UnitWithinTx, userId: string, minutes: number): Promise<string | undefined> {
  if (!(await isInvited(tx, userId))) return undefined
  const token = mintToken()
  const now = world.realTime.now()
  await voidInvitations(tx, userId, now)
  await insertInvitation(tx, { tokenHash: hashToken(token), userId, expires: new Date(now.getTime() + minutes * 60_000) })
  return `/auth/invitation#token=${token}`
}
