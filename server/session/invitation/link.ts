import type { UnitWithinTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { hashToken, mintToken } from '#server/session/tokens.ts'
import { insertInvitation, isInvited, voidInvitations } from './queries.ts'

/** A single-use link that accepts an open invitation; undefined where it is open no longer. Those mailed before lead nowhere from now on. */
export async function invitationLink(world: World, tx: UnitWithinTx, userId: string, minutes: number): Promise<string | undefined> {
  if (!(await isInvited(tx, userId))) return undefined
  const token = mintToken()
  const now = world.clock.now()
  await voidInvitations(tx, userId, now)
  await insertInvitation(tx, { tokenHash: hashToken(token), userId, expires: new Date(now.getTime() + minutes * 60_000) })
  return `/auth/invitation#token=${token}`
}
