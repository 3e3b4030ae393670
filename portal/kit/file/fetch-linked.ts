import type { AnyCall, FailureEnvelope } from '#common/kit/call.ts'
import { headersOf, inSession, parseEnvelope, Refused, Unreachable } from '#portal/kit/ask.ts'

/** Fetches a file by its link, which `call` describes. */
export const fetchLinked = (call: AnyCall, link: string): Promise<Blob> =>
  inSession(call, async () => {
    const response = await fetch(link, { headers: headersOf(call, '') }).catch(() => undefined)
    if (!response) throw new Unreachable()
    if (response.ok) return response.blob()
    // Safe: every refusal of the service is such an envelope.
    const failure = parseEnvelope(await response.text()) as FailureEnvelope | undefined
    throw failure?.errorMessage ? new Refused(failure) : new Unreachable()
  })
