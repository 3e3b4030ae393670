import { textOn } from '#common/kit/contrast.ts'
import { intlTag, type Locale } from '#common/kit/locales.ts'
import type { Words } from '#server/kit/words.ts'
import { oneLine } from '../kit/mail-address.ts'

/**
 * All email templates; a new one needs an entry and its messages. Each part has a message of its own name beside `mail.<name>.subject`.
 * `button` links to `params.link`, `quote` is a person's text in `params.quote`. `linkMinutes`: the validity of a password or invitation
 * link, from when the email leaves.
 */
export const templates = {
  password_reset: { parts: ['intro', 'button', 'validity', 'ignore'], linkMinutes: 30 },
  access_changed: { parts: ['intro', 'circumstances', 'mine', 'otherwise', 'button'] },
  invitation: { parts: ['intro', 'button', 'validity'], linkMinutes: 3 * 24 * 60 },
  agency_invitation: { parts: ['intro', 'button', 'validity', 'ignore'], linkMinutes: 3 * 24 * 60 },
  policy_purchased: { parts: ['intro', 'total', 'documents'] },
  policy_certificates: { parts: ['intro', 'documents'] },
  budget_offer: { parts: ['intro', 'total', 'validity'] },
  ticket_received: { parts: ['intro', 'next'] },
  ticket_forwarded: { parts: ['intro', 'contact', 'quote', 'files', 'button'] },
  ticket_answered: { parts: ['intro', 'quote', 'reply'] },
  ticket_written: { parts: ['intro', 'quote', 'button'] },
} as const satisfies Record<string, { parts: readonly string[]; linkMinutes?: number }>

export type Template = keyof typeof templates

/** Returns the validity of the template's link in minutes; 0 without a link. */
export function linkMinutesOf(template: Template): number {
  const facts = templates[template]
  return 'linkMinutes' in facts ? facts.linkMinutes : 0
}

export const isTemplate = (name: string): name is Template => Object.hasOwn(templates, name)

export type Brand = { brandName: string; accent: string; email: string; phone: string }
export type Params = Record<string, string | number>
export type WrittenMail = { subject: string; text: string; html: string }

type Part = { words: string; link?: string; quote?: true }

/** Writes one email's subject, text and HTML in its reader's language and the unit's colours. `lost`: names of missing attachments. */
export function writeMail(
  { locale, words }: { locale: Locale; words: Words },
  template: Template,
  brand: Brand,
  params: Params,
  lost: readonly string[] = [],
): WrittenMail {
  const values: Params = { ...clean(params), brand: oneLine(brand.brandName) }
  const translate = (key: string) => words(`mail.${template}.${key}`, values)
  const subject = oneLine(translate('subject'))
  const parts = templates[template].parts.map((part): Part => {
    if (part === 'quote') return { words: linesOf(String(params['quote'] ?? '')), quote: true }
    return { words: translate(part), ...(part === 'button' ? { link: String(values['link']) } : {}) }
  })
  const all: Part[] = [{ words: values['name'] === '' ? words('mail.greeting_unnamed') : words('mail.greeting', values) }, ...parts]
  if (lost.length > 0) all.push({ words: words('mail.files_lost', { files: namesOf(lost, locale), count: lost.length }) })
  const closing = words('mail.closing', { ...values, email: brand.email, phone: brand.phone })
  return { subject, text: asText(all, closing), html: asHtml(locale, subject, brand, all, closing) }
}

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
  [...parts.map(({ words, link, quote }) => (link ? `${words}:\n${link}` : quote ? words.replaceAll(/^/gm, '> ') : words)), closing].join(
    '\n\n',
  )

/** Email programs hardly support style sheets, so the layout uses tables and attributes. */
function asHtml(locale: Locale, subject: string, brand: Brand, parts: Part[], closing: string): string {
  const accent = escape(brand.accent)
  return `<!doctype html><html lang="${intlTag(locale)}"><head><meta charset="utf-8"><title>${escape(subject)}</title></head><body style="margin:0;background:#f5f5f4;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif;color:#1c1917">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border:1px solid #e7e5e4;border-radius:8px">
<tr><td style="padding:20px 32px;border-bottom:3px solid ${accent};font-weight:700">${escape(oneLine(brand.brandName))}</td></tr>
<tr><td style="padding:32px">${parts.map(part => partAsHtml(part, brand.accent)).join('')}</td></tr>
<tr><td style="padding:16px 32px;border-top:1px solid #e7e5e4;font-size:13px;color:#57534e">${escape(closing)}</td></tr>
</table></td></tr></table></body></html>`
}

function partAsHtml({ words, link, quote }: Part, accent: string): string {
  if (quote) {
    const lines = words.split('\n').map(escape).join('<br>')
    return `<blockquote style="margin:0 0 16px;padding:8px 16px;border-left:3px solid #e7e5e4">${lines}</blockquote>`
  }
  if (!link) return `<p style="margin:0 0 16px">${escape(words)}</p>`
  const style = `display:inline-block;padding:12px 20px;background:${accent};color:${textOn(accent)};text-decoration:none;border-radius:6px;font-weight:600`
  return `<p style="margin:0 0 24px"><a href="${escape(link)}" style="${escape(style)}">${escape(words)}</a></p>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escape = (text: string): string => text.replaceAll(/[&<>"']/g, letter => entities[letter] ?? letter)
