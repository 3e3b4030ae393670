import { Refused } from './ask.ts'

/** Returns a handler that only logs an error (spec 8). The request id of a refusal identifies it in the service's own log. */
export function logOnly(action: string) {
  return (error: unknown): undefined => {
    const reason = error instanceof Refused ? `${error.failure.error} ${error.failure.requestId}` : String(error)
    // oxlint-disable-next-line no-console -- the console is the log of the browser
    console.warn(`${action} failed: ${reason}`)
  }
}
