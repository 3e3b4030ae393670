import { Refused } from './ask.ts'

/** What the spec says is only logged (spec 8): on the console, with the request's id, by which the service's own log tells the rest. */
export function logOnly(what: string) {
  return (error: unknown): undefined => {
    const said = error instanceof Refused ? `${error.failure.error} ${error.failure.requestId}` : String(error)
    // oxlint-disable-next-line no-console
    console.warn(`${what} failed: ${said}`)
  }
}
