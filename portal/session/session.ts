import { queryOptions } from '@tanstack/react-query'
import type { Reply } from '#common/kit/call.ts'
import { usersMe } from '#common/session/calls.ts'
import { ask, askFor, Refused } from '#portal/kit/ask.ts'

export type SessionUser = Reply<typeof usersMe>

/** Who is signed in, or null. The cookie that says so is out of reach of any script, so the service is asked. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<SessionUser | null> => {
    const user = await ask(usersMe, {}).catch(nobody)
    askFor(user?.businessUnits[0]?.token)
    return user
  },
  staleTime: 60_000,
})

function nobody(error: unknown): null {
  if (error instanceof Refused && error.failure.code === 401) return null
  throw error
}
