import * as z from 'zod/mini'
import type { Problem } from '#common/kit/problems.ts'
import { withoutCardNumbers } from '#common/kit/validators/cards.ts'
import { longest } from '#common/tickets/ticket.ts'
import { megabyte, fileMegabytes } from '#common/kit/files.ts'
import { shapeProblems } from '#server/kit/http/failures.ts'
import { oneLine } from '#server/kit/mail-address.ts'
import { textOfHtml } from '#server/mail/public.ts'

const text = (most: number) => z.optional(z.string().check(z.maxLength(most)))

/** The shape of Postmark's inbound hook: https://postmarkapp.com/developer/webhooks/inbound-webhook. Unused fields are ignored. */
export const inboundMail = z.looseObject({
  MessageID: z.string().check(z.minLength(1), z.maxLength(500)),
  From: z.string().check(z.minLength(3), z.maxLength(1000)),
  FromName: text(500),
  To: text(20_000),
  Cc: text(20_000),
  OriginalRecipient: text(1000),
  TextBody: text(1_000_000),
  HtmlBody: z.optional(z.string()),
  StrippedTextReply: text(1_000_000),
  Headers: z.optional(z.array(z.looseObject({ Name: z.string(), Value: z.string() })).check(z.maxLength(500))),
  Attachments: z.optional(z.array(z.looseObject({ Name: z.string(), Content: z.string() })).check(z.maxLength(100))),
})
type InboundMail = z.output<typeof inboundMail>

/** A mail as tickets need it. An attachment over the size limit has no content. */
export type ReadMail = {
  messageId: string
  author: string
  addresses: string[]
  isAutomatic: boolean
  answer: string
  attachments: { name: string; content: Buffer | undefined }[]
}

/** Parses a mail of at most forty megabytes, in a worker thread since its content is untrusted. `malformed` means invalid JSON. */
export function readMail(parts: Buffer[]): ReadMail | Problem[] | 'malformed' {
  let body: unknown
  try {
    body = JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch {
    return 'malformed'
  }
  const parsed = inboundMail.safeParse(body)
  if (!parsed.success) return shapeProblems(parsed.error.issues)
  const mail = parsed.data
  const { MessageID, From, FromName = '', OriginalRecipient = '', To = '', Cc = '', Attachments = [] } = mail
  return {
    messageId: MessageID,
    author: oneLine(FromName, 100) || oneLine(From, 100),
    addresses: [OriginalRecipient, ...`${To},${Cc}`.split(',')],
    isAutomatic: isAutomatic(mail),
    answer: answerOf(mail),
    attachments: Attachments.map(({ Name, Content }) => ({ name: Name.slice(-longestName), content: contentOf(Content) })),
  }
}

/** The longest file name that file systems allow. The ending is kept. */
const longestName = 255

const contentOf = (base64: string): Buffer | undefined => {
  const content = Buffer.from(base64, 'base64')
  return content.length > fileMegabytes * megabyte ? undefined : content
}

/** Returns whether a mail is automatic (RFC 3834). If they joined the thread, two machines could reply to each other for ever. */
const isAutomatic = ({ Headers = [] }: InboundMail): boolean =>
  Headers.some(
    ({ Name, Value }) =>
      (/^auto-submitted$/i.test(Name) && !/^no\b/i.test(Value)) || (/^precedence$/i.test(Name) && /bulk|junk|list|auto/i.test(Value)),
  )

/** The most that is read of a mail. A reply has a few pages, what it quotes may have many, and HTML has more tags than text. */
const mostRead = { text: 200_000, html: 500_000 }
const mostKept = longest.message - 300

/** Returns the newly written text, from the provider's extract, else the mail's text, else its HTML. */
function answerOf({ StrippedTextReply = '', TextBody = '', HtmlBody = '' }: InboundMail): string {
  const text = StrippedTextReply.trim() || TextBody.trim() || textOfHtml(HtmlBody.slice(0, mostRead.html))
  const lines = text.slice(0, mostRead.text).toWellFormed().replaceAll(/\r\n?/g, '\n').split('\n')
  return withoutCardNumbers(
    withoutQuote(lines)
      .map(line => line.replaceAll(/[^\P{Cc}\t]/gu, ''))
      .join('\n')
      .trim(),
  ).slice(0, mostKept)
}

/**
 * Removes the quoted mail below a reply, with the line that introduces it.
 * A reply below or between quotes needs them to make sense. They all stay then, as long as they leave enough room for the reply.
 */
function withoutQuote(lines: string[]): string[] {
  const first = lines.findIndex(isQuoted)
  if (first < 0) return lines
  const rest = lines.slice(first)
  if (rest.some(line => !isQuoted(line) && line.trim() !== ''))
    return lines.join('\n').length <= mostKept ? lines : lines.filter(line => !isQuoted(line))
  const before = lines.slice(0, first).findLastIndex(line => line.trim() !== '')
  return lines.slice(0, lines[before]?.trimEnd().endsWith(':') ? before : first)
}

const isQuoted = (line: string): boolean => /^\s*>/.test(line)
