import type { Secrets } from '#server/kit/store/secrets.ts'
import type { StoredAnswer, StoredForm } from '../tables.ts'

// Claims and requests tell about people's health. Their texts are encrypted in the database, each for its ticket or message alone.

/** The texts of a ticket. Its subject is not among them, because lists show and find it. */
export type TicketWords = { description: string; answers: StoredAnswer[] }

export type SealedWords = { sealed: Buffer | null; sealed_by: string | null }

type StoredTicket = SealedWords & { id: string; description: string; form: StoredForm }
type StoredMessage = SealedWords & { id: string; body: string }

const ownerOf = (what: 'ticket' | 'message', id: string): string => `${what} ${id}`

function seal(secrets: Secrets, owner: string, words: unknown): SealedWords {
  const { secret, sealedBy } = secrets.seal(owner, Buffer.from(JSON.stringify(words)))
  return { sealed: secret, sealed_by: sealedBy }
}

const opened = (secrets: Secrets, owner: string, { sealed, sealed_by }: SealedWords): unknown =>
  sealed === null ? undefined : JSON.parse(secrets.open(owner, { secret: sealed, sealedBy: sealed_by }).toString())

/** Returns the columns of a ticket with these texts. */
export const ticketColumns = (secrets: Secrets, id: string, { description, form }: { description: string; form: StoredForm }) => ({
  description: '',
  form: JSON.stringify({ ...form, answers: [] }),
  ...seal(secrets, ownerOf('ticket', id), { description, answers: form.answers } satisfies TicketWords),
})

/** Returns the texts of a ticket, also of one that an older version stored in clear. */
export function wordsOf(secrets: Secrets, ticket: StoredTicket): TicketWords {
  // Safe: `ticketColumns` wrote them.
  const words = opened(secrets, ownerOf('ticket', ticket.id), ticket) as TicketWords | undefined
  return words ?? { description: ticket.description, answers: ticket.form.answers }
}

/** Returns the columns of a message with this text. */
export const messageColumns = (secrets: Secrets, id: string, body: string) => ({
  body: '',
  ...seal(secrets, ownerOf('message', id), body),
})

/** Returns the text of a message, also of one that an older version stored in clear. */
export function bodyOf(secrets: Secrets, message: StoredMessage): string {
  // Safe: `messageColumns` wrote it.
  const body = opened(secrets, ownerOf('message', message.id), message) as string | undefined
  return body ?? message.body
}
