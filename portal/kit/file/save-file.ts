import type { AnyCall, FailureEnvelope, RequestSentOf } from '#common/kit/call.ts'
import { inSession, NotAFile, parseEnvelope, Refused, sendWithRetries, Unreachable } from '#portal/kit/ask.ts'

/** A file takes long on a slow connection. */
const timeoutMs = 600_000

/** Requests a file. Throws NotAFile if the response is neither a file nor a refusal. */
export const askForFile = <C extends AnyCall>(call: C, request: RequestSentOf<C>): Promise<{ name: string; content: Blob }> =>
  inSession(call, async () => {
    const received = await sendWithRetries(call, request, { key: crypto.randomUUID(), timeoutMs, readBody: readFile })
    if (received === undefined) throw new Unreachable()
    if (typeof received.body === 'object') return received.body
    // Safe: only its error message is read before it is known to be a failure.
    const failure = parseEnvelope(received.body) as FailureEnvelope | undefined
    throw failure?.errorMessage ? new Refused(failure) : new NotAFile()
  })

async function readFile(response: Response): Promise<{ name: string; content: Blob } | string> {
  const name = /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return name ? { name: decodeURIComponent(name), content: await response.blob() } : response.text()
}

/** Saves a file through the browser, as a download. */
export function saveFile({ name, content }: { name: string; content: Blob }): void {
  const address = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  // The browser reads the file only after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
