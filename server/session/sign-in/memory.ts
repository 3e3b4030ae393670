import type { World } from '#server/kit/app-context.ts'
import type { Change } from '#server/kit/notices/changes.ts'
import { type LiveSession, openSessionQuery } from '#server/session/queries.ts'

/** The number of sessions and memberships to remember, some tens of megabytes. */
const mostRemembered = 50_000

/**
 * The live sessions, as this node has read them (decision 73). A session is forgotten once any node commits a change of it, and none is used while such
 * a change might be missed.
 */
export type SessionMemory = {
  /** Returns the session if it is known for certain. */
  known(tokenHash: Buffer): LiveSession | undefined
  /** Reads the session, and remembers it. */
  read(tokenHash: Buffer): Promise<LiveSession | undefined>
}

export function openSessionMemory(world: Pick<World, 'database' | 'elapsed'>, most = mostRemembered): SessionMemory {
  const query = openSessionQuery(world)
  const { notices } = world.database
  const sessions = new Map<string, LiveSession>()
  let size = 0
  /** Counts the changes. What was read before the last one is not remembered. */
  let changes = 0

  function forget(isChanged: (session: LiveSession) => boolean): void {
    changes += 1
    for (const [name, session] of sessions) if (isChanged(session)) remove(name, session)
  }

  function remove(name: string, session: LiveSession): void {
    sessions.delete(name)
    size -= sizeOf(session)
  }

  function remember(name: string, session: LiveSession): void {
    const before = sessions.get(name)
    if (before) remove(name, before)
    sessions.set(name, session)
    size += sizeOf(session)
    // The oldest first.
    for (const [other, oldest] of sessions) {
      if (size <= most) break
      remove(other, oldest)
    }
  }

  notices.listen({ heard: change => tables.has(change.table) && forget(isIn(change)), missed: () => forget(() => true) })
  return {
    known: tokenHash => (notices.areHeard() ? sessions.get(nameOf(tokenHash)) : undefined),
    async read(tokenHash) {
      const before = notices.areHeard() ? changes : undefined
      const session = await query(tokenHash)
      if (session && before === changes) remember(nameOf(tokenHash), session)
      return session
    },
  }
}

const nameOf = (tokenHash: Buffer): string => tokenHash.toString('latin1')

const sizeOf = ({ memberships }: LiveSession): number => 1 + memberships.length

/** The tables that a session is read from. */
const tables = new Set(['sessions', 'users', 'memberships', 'business_units', 'second_factors'])

/** Returns which sessions a change may concern. */
function isIn({ table, rows }: Change): (session: LiveSession) => boolean {
  const [column, id] = rows.split('=')
  if (table === 'sessions' && column === 'id') return ({ sessionId }) => sessionId === id
  const isOfUser = table === 'users' ? column === 'id' : column === 'user_id'
  return isOfUser ? ({ userId }) => userId === id : () => true
}
