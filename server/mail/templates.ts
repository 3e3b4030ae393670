import type { Words } from '#server/kit/words.ts'
import { oneLine } from './address.ts'

/**
 * The mails that there are. Each has `mail.<name>.subject`, a greeting, paragraphs and perhaps a button under its keys; a new one is a matter
 * of data.
 */
export const templates = {
  password_reset: { paragraphs: ['intro', 'validity', 'ignore'], button: true },
  invitation: { paragraphs: ['intro', 'validity'], button: true },
} as const satisfies Record<string, { paragraphs: readonly string[]; button: boolean }>

export type Template = keyof typeof templates

export type Brand = { brandName: string; accent: string; email: string; phone: string }
export type Written = { subject: string; text: string; html: string }

/** Subject, text and HTML of one mail. `params.link` is where the button leads. */
export function writeMail(words: Words, template: Template, brand: Brand, params: Record<string, string | number>): Written {
  const values = { ...clean(params), brand: oneLine(brand.brandName) }
  const say = (key: string) => words(`mail.${template}.${key}`, values)
  const { paragraphs, button } = templates[template]
  const lines = [words('mail.greeting', values), ...paragraphs.map(say)]
  const link = button ? { label: say('button'), address: String(params['link']) } : undefined
  const closing = words('mail.closing', { ...values, email: brand.email, phone: brand.phone })
  return { subject: oneLine(say('subject')), text: asText(lines, link, closing), html: asHtml(brand, lines, link, closing) }
}

type Link = { label: string; address: string } | undefined

const asText = (lines: string[], link: Link, closing: string): string =>
  [...lines.slice(0, 2), ...(link ? [`${link.label}:\n${link.address}`] : []), ...lines.slice(2), closing].join('\n\n')

/** Mail programs know no style sheets worth the name: tables and attributes, as mail has always been written. */
function asHtml(brand: Brand, lines: string[], link: Link, closing: string): string {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escape(text)}</p>`
  const button = link
    ? `<p style="margin:0 0 24px"><a href="${escape(link.address)}" style="display:inline-block;padding:12px 20px;background:${escape(brand.accent)};color:#ffffff;text-decoration:none;border-radius:6px;font-weight:600">${escape(link.label)}</a></p>`
    : ''
  return `<!doctype html><html><head><meta charset="utf-8"></head><body style="margin:0;background:#f5f5f4;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif;color:#1c1917">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border:1px solid #e7e5e4;border-radius:8px">
<tr><td style="padding:20px 32px;border-bottom:3px solid ${escape(brand.accent)};font-weight:700">${escape(brand.brandName)}</td></tr>
<tr><td style="padding:32px">${lines.slice(0, 2).map(paragraph).join('')}${button}${lines.slice(2).map(paragraph).join('')}</td></tr>
<tr><td style="padding:16px 32px;border-top:1px solid #e7e5e4;font-size:13px;color:#57534e">${escape(closing)}</td></tr>
</table></td></tr></table></body></html>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, letter => entities[letter] ?? letter)

/** What people typed cannot break a line, turn the direction of what follows, or hide between letters. */
const clean = (params: Record<string, string | number>): Record<string, string | number> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? oneLine(value, 2000) : value]))
