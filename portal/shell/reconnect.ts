import { queries } from '#portal/kit/queries.ts'
import { checkSession } from '#portal/session/session.ts'

/** Checks if the service is back, and then repeats the failed queries. Sends nothing while the browser has no network. */
export async function checkConnection(): Promise<void> {
  if (navigator.onLine) await checkSession().then(retryQueries, () => undefined)
}

const retryQueries = () => queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
