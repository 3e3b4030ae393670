import { textOn } from '#common/kit/contrast.ts'
import { intlTag, type Locale } from '#common/kit/locales.ts'
import type { MessageId } from '../../common/locales/ids.d.ts'
import type { Words, WordsOfData } from '#common/kit/words/words.ts'
import { oneLine } from '../kit/mail-address.ts'

/**
 * All email templates; a new one needs an entry and its messages. Each part has a message of its own name beside `mail.<name>.subject`.
 * `button` links to `params.link`, `my_policy` and `my_quote` likewise to the client's page, `quote` is a person's text, or a list, in `params.quote`,
 * `assistance` the insurer's phone in `params.assistance`. `linkMinutes`: the validity of a password or invitation link, from when the email leaves.
 * `forgets`: once it has left, or was refused for good, its row keeps neither name, address nor words. `many_trips`: the scope of a policy of several
 * trips, in `params.zone`.
 */
export const templates = {
  password_reset: { parts: ['intro', 'button', 'validity', 'ignore'], linkMinutes: 30 },
  access_changed: { parts: ['intro', 'circumstances', 'mine', 'otherwise', 'button'] },
  administrator_made: { parts: ['intro', 'held', 'otherwise', 'button'] },
  invitation: { parts: ['intro', 'button', 'validity'], linkMinutes: 3 * 24 * 60 },
  agency_invitation: { parts: ['intro', 'button', 'validity', 'ignore'], linkMinutes: 3 * 24 * 60 },
  policy_purchased: { parts: ['intro', 'many_trips', 'total', 'documents', 'my_policy', 'assistance'] },
  policy_certificates: { parts: ['intro', 'many_trips', 'documents', 'my_policy', 'assistance'] },
  policy_changed: { parts: ['intro', 'many_trips', 'money', 'documents', 'my_policy', 'assistance'] },
  change_offered: { parts: ['intro', 'until', 'button', 'ignore'] },
  policy_cancelled: { parts: ['intro', 'money', 'documents'] },
  policy_ended: { parts: ['intro', 'documents'] },
  policy_withdrawn: { parts: ['intro', 'money', 'documents'] },
  policy_reinstated: { parts: ['intro', 'many_trips', 'money', 'documents', 'my_policy', 'assistance'] },
  policy_joined: { parts: ['intro', 'many_trips', 'assistance'] },
  policy_left: { parts: ['intro'] },
  contact_changed: { parts: ['intro', 'my_policy', 'otherwise'] },
  refund_sent: { parts: ['intro'] },
  refund_failed: { parts: ['intro', 'next'] },
  refund_transferred: { parts: ['intro'] },
  policy_found: { parts: ['intro', 'my_policy', 'ignore'] },
  withdrawal_done: { parts: ['intro', 'money', 'documents'] },
  withdrawal_received: { parts: ['intro', 'quote', 'keep', 'my_policy'] },
  budget_offer: { parts: ['quote', 'intro', 'many_trips', 'total', 'documents', 'my_quote', 'validity'] },
  renewal_quote: { parts: ['intro', 'many_trips', 'total', 'different', 'quote', 'documents', 'my_quote', 'validity'] },
  renewal_reminder: { parts: ['intro', 'many_trips', 'total', 'my_quote', 'validity'] },
  quote_answered: { parts: ['intro', 'documents'] },
  renewal_refused: { parts: ['intro', 'why', 'next'] },
  statement_ready: { parts: ['intro', 'money', 'button'] },
  statement_due: { parts: ['intro', 'button'] },
  statement_overdue: { parts: ['intro', 'next', 'button'] },
  account_limit: { parts: ['intro', 'next', 'button'] },
  logo_removed: { parts: ['intro', 'next', 'button'] },
  report_ready: { parts: ['intro', 'button', 'kept'] },
  report_failed: { parts: ['intro', 'next', 'button'] },
  privacy_copy: { parts: ['intro', 'button', 'once', 'ignore'] },
  privacy_answer: { parts: ['intro', 'letter', 'next'], forgets: true },
  ticket_received: { parts: ['intro', 'next'] },
  ticket_forwarded: { parts: ['intro', 'contact', 'quote', 'files', 'button'] },
  ticket_answered: { parts: ['intro', 'quote', 'reply'] },
  ticket_written: { parts: ['intro', 'quote', 'button'] },
} as const satisfies Record<string, { parts: readonly string[]; linkMinutes?: number; forgets?: true }>

export type Template = keyof typeof templates

/** Returns the validity of the template's link in minutes; 0 without a link. */
export function linkMinutesOf(template: Template): number {
  const facts = templates[template]
  return 'linkMinutes' in facts ? facts.linkMinutes : 0
}

/** True for an email whose row forgets its reader. */
export const forgets = (template: string): boolean => isTemplate(template) && 'forgets' in templates[template]

/** True for an email that offers quotes, by a link that opens them. */
export const opensQuotes = (template: string): boolean =>
  isTemplate(template) && templates[template].parts.some(part => part === 'my_quote')

export const isTemplate = (name: string): name is Template => Object.hasOwn(templates, name)

export type Brand = { brandName: string; accent: string; email: string; phone: string }
export type Params = Record<string, string | number>
export type WrittenMail = { subject: string; text: string; html: string }

/** `phone` is the part of the words that the HTML turns into a link. */
type Part = { words: string; link?: string; quote?: true; phone?: string }

/** Writes one email's subject, text and HTML in its reader's language and the unit's colours. `lost`: names of missing attachments. */
export function writeMail(
  { locale, words }: { locale: Locale; words: Words },
  template: Template,
  brand: Brand,
  params: Params,
  lost: readonly string[] = [],
): WrittenMail {
  // Emails that were queued before there were several trips lack `trips`.
  const values: Params = {
    trips: 'one',
    linked: params['link'] ? 'yes' : 'no',
    email: brand.email,
    phone: brand.phone,
    ...clean(params),
    brand: oneLine(brand.brandName),
  }
  // Safe: each email is queued with the values of its template.
  const say = words as WordsOfData
  // Safe: each part of a template has a message of its name.
  const translate = (key: string) => say(`mail.${template}.${key}` as MessageId, values)
  const subject = oneLine(translate('subject'))
  const parts = templates[template].parts.flatMap((part): Part[] => {
    if (part === 'quote') return params['quote'] ? [{ words: linesOf(String(params['quote'])), quote: true }] : []
    if (part === 'assistance') return assistanceIn(values, say)
    if (part === 'many_trips') return values['zone'] ? [{ words: say('mail.many_trips', values) }] : []
    if (part === 'my_policy') return linkIn('mail.my_policy', values, say)
    if (part === 'my_quote') return linkIn('mail.my_quote', values, say)
    return [{ words: translate(part), ...(part === 'button' ? { link: String(values['link']) } : {}) }]
  })
  const all: Part[] = [{ words: say(values['name'] === '' ? 'mail.greeting_unnamed' : 'mail.greeting', values) }, ...parts]
  if (lost.length > 0) all.push({ words: words('mail.files_lost', { files: namesOf(lost, locale), count: lost.length }) })
  const closing = say('mail.closing', { ...values, email: brand.email, phone: brand.phone })
  return { subject, text: asText(all, closing), html: asHtml(locale, subject, brand, all, closing) }
}

const linkIn = (id: MessageId, values: Params, say: WordsOfData): Part[] =>
  values['link'] ? [{ words: say(id, values), link: String(values['link']) }] : []

/** Emails that were queued before they had a number, or a link to the policy, leave without it. */
const assistanceIn = (values: Params, say: WordsOfData): Part[] =>
  values['assistance'] ? [{ words: say('mail.assistance', values), phone: String(values['assistance']) }] : []

/** Cleans typed values of line breaks, direction marks and invisible characters. */
const clean = (params: Params): Params =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? oneLine(value, 2000) : value]))

const namesOf = (files: readonly string[], locale: Locale): string =>
  new Intl.ListFormat(intlTag(locale)).format(files.map(name => oneLine(name, 200)))

/** Keeps the line breaks of a text, and cleans each line. */
const linesOf = (text: string): string =>
  text
    .split('\n')
    .map(line => oneLine(line, 4000))
    .join('\n')
    .trim()

const asText = (parts: Part[], closing: string): string =>
  [...parts.map(({ words, link, quote }) => (link ? `${words}\n${link}` : quote ? words.replaceAll(/^/gm, '> ') : words)), closing].join(
    '\n\n',
  )

/** The colours of theme.css for programs that follow a dark system. The others show the light ones, which the attributes hold. */
const dark = `@media (prefers-color-scheme:dark){.page{background:#121110!important;color:#eeece8!important}.sheet{background:#1a1917!important;border-color:#2a2825!important;color:#eeece8!important}.quiet{color:#aca69f!important;border-color:#2a2825!important}.quote{border-color:#3a3733!important}}`

/** Email programs hardly support style sheets, so the layout uses tables and attributes. */
function asHtml(locale: Locale, subject: string, brand: Brand, parts: Part[], closing: string): string {
  const accent = escape(brand.accent)
  return `<!doctype html><html lang="${intlTag(locale)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escape(subject)}</title><style>${dark}</style></head><body class="page" style="margin:0;background:#faf9f7;font:17px/24px 'Source Sans 3',system-ui,-apple-system,'Segoe UI',sans-serif;color:#1c1a17">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:20px 12px">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border:1px solid #edeae6;border-radius:12px">
<tr><td style="padding:16px 28px;border-bottom:2px solid ${accent};font-weight:600">${escape(oneLine(brand.brandName))}</td></tr>
<tr><td style="padding:28px 28px 12px">${parts.map(part => partAsHtml(part, brand.accent)).join('')}</td></tr>
<tr><td class="quiet" style="padding:12px 28px 16px;border-top:1px solid #edeae6;font-size:14px;line-height:20px;color:#59544e">${escape(closing)}</td></tr>
</table></td></tr></table></body></html>`
}

function partAsHtml({ words, link, quote, phone }: Part, accent: string): string {
  if (quote) {
    const lines = words.split('\n').map(escape).join('<br>')
    return `<blockquote class="quote" style="margin:0 0 16px;padding:4px 0 4px 16px;border-left:2px solid #dedad4">${lines}</blockquote>`
  }
  if (phone) return `<p style="margin:0 0 16px;font-weight:600">${escape(words).replace(escape(phone), phoneAsHtml)}</p>`
  if (!link) return `<p style="margin:0 0 16px">${escape(words)}</p>`
  const style = `display:inline-block;padding:12px 20px;background:${accent};color:${textOn(accent)};text-decoration:none;border-radius:6px;font-weight:600`
  return `<p style="margin:0 0 24px"><a href="${escape(link)}" style="${escape(style)}">${escape(words)}</a></p>`
}

/** Travellers read the email on a phone, where a tap calls the number. */
const phoneAsHtml = (phone: string): string =>
  `<a href="tel:${phone.replaceAll(/[^\d+]/g, '')}" style="color:inherit;white-space:nowrap">${phone}</a>`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escape = (text: string): string => text.replaceAll(/[&<>"']/g, letter => entities[letter] ?? letter)
