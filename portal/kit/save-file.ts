import type { AnyCall, QuestionSent } from '#common/kit/call.ts'
import type { FailureEnvelope } from '#common/kit/call.ts'
import { deliver, inSession, read, Refused, Unreachable } from './ask.ts'

/** A file takes its time on a slow line. */
const patienceForFilesMs = 600_000

/** spec 8: an export whose reply is not a file. */
export class NotAFile extends Error {}

/** Asks for a file, as a call may answer with one. Where what came is none, that is an error of its own. */
export const askForFile = <C extends AnyCall>(call: C, question: QuestionSent<C>): Promise<{ name: string; content: Blob }> =>
  inSession(call, async () => {
    const reply = await deliver(call, question, { key: crypto.randomUUID(), patience: patienceForFilesMs, take: takeFile })
    if (reply === undefined) throw new Unreachable()
    if (typeof reply.taken === 'object') return reply.taken
    const failure = read(reply.taken) as FailureEnvelope | undefined
    throw failure?.errorMessage ? new Refused(failure) : new NotAFile()
  })

async function takeFile(reply: Response): Promise<{ name: string; content: Blob } | string> {
  const name = /filename\*=UTF-8''([^;]+)/i.exec(reply.headers.get('content-disposition') ?? '')?.[1]
  return reply.ok && name ? { name: decodeURIComponent(name), content: await reply.blob() } : reply.text()
}

/** Hands a file to the browser, as if it had been downloaded. */
export function saveFile({ name, content }: { name: string; content: Blob }): void {
  const address = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  // The browser reads it after this turn; then nobody else needs it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
