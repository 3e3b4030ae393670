import { describe, expect, test } from 'vitest'
import { locales } from '#common/kit/locales.ts'
import { loadWords } from '#server/kit/words.ts'
import { type Template, templates, writeMail } from './templates.ts'

const words = loadWords()
const brand = { brandName: 'Viajes Azahar', accent: '#b4532a', email: 'hola@azahar.example', phone: '+34 961 000 000' }
const params = {
  name: 'Ana',
  inviter: 'Andrés Molina',
  link: 'https://portal.example/auth/reset#token=x&y',
  minutes: 30,
  days: 3,
  policyholder: 'Ana García',
  number: '1000000-A',
  product: 'Esencial',
  start: '01/12/2026',
  end: '08/12/2026',
  total: '33,76 €',
  assistance: '+34 900 000 000',
  reference: 'C100000-A',
  kind: 'claim',
  type: 'Equipaje',
  subject: 'Maleta perdida',
  policy: '1000000-A',
  author: 'Lucía Ferrer',
  phone: '+34 612 345 678',
  files: 2,
  attached: 1,
  answerable: 'no',
  account: 'ana@azahar.example',
  what: 'password',
  by: 'Andrés Molina',
  network: '203.0.113.7',
  device: 'Chrome, Windows',
  email: 'hola@azahar.example',
  when: '25/11/2026, 11:00:00 CET',
  gap: '24/11/2026, 10:00:00 CET',
  money: 'refund',
  amount: '17,08 €',
  stopped: '8,22 €',
  held: 'no',
  undone: 'no',
  statement: 'Ana García desiste.',
  month: 'noviembre de 2026',
  pays: 'agency',
  commission: '155,75 €',
  due: '15/12/2026',
  level: 95,
  limit: '1000,00 €',
  used: '950,00 €',
  quote: 'Se perdió en Roma.\n\nAna',
  ends: '30/11/2027',
  differs: 'yes',
  why: 'not_sold',
  reason: '',
}
// Safe: these are the keys of that object.
const names = Object.keys(templates) as Template[]
const write = (template: Template, more: Record<string, string> = {}, unitBrand = brand) =>
  writeMail({ locale: 'es-ES', words: words('es-ES') }, template, unitBrand, { ...params, ...more })

describe.each(locales)('in %s', locale => {
  test('the administration has a name for each template', () => {
    const unnamed = names.filter(template => /[{}]/.test(nameOf(template)) || nameOf(template) === template)
    expect(unnamed).toEqual([])
    expect(nameOf('of_later')).toBe('of_later')

    function nameOf(template: string): string {
      return words(locale)('administration.mail_kind', { template })
    }
  })

  test.each(names)('the email %s is complete', name => {
    const { subject, text, html } = writeMail({ locale, words: words(locale) }, name, brand, params)
    expect(subject).toContain('Viajes Azahar')
    expect(text).toMatch(/Ana.*hola@azahar\.example/s)
    expect(subject + text).not.toMatch(/[{}#] |\bmail\.\w|undefined/)
    if (templates[name].parts.some(part => part === 'assistance')) {
      expect(text).toContain('24')
      expect(text).toContain(params.assistance)
      expect(html).toContain('<a href="tel:+34900000000"')
    }
    if (!templates[name].parts.some(part => part === 'button')) return
    expect(text).toContain(params.link)
    expect(html).toContain('https://portal.example/auth/reset#token=x&amp;y"')
    expect(html).toContain('background:#b4532a;color:#ffffff')
  })
})

test('an email queued without the assistance number leaves without its paragraph', () => {
  const { assistance: _, ...before } = params
  const { text, html } = writeMail({ locale: 'es-ES', words: words('es-ES') }, 'policy_purchased', brand, before)
  expect(text).toContain('33,76 €')
  expect(text + html).not.toMatch(/Asistencia|tel:|\{\w+\}/)
})

test('the HTML states its language, and the button is readable on any accent', () => {
  expect(writeMail({ locale: 'en-EN', words: words('en-EN') }, 'invitation', brand, params).html).toContain('<html lang="en-GB">')
  expect(write('invitation', {}, { ...brand, accent: '#f2e34b' }).html).toContain('background:#f2e34b;color:#000000')
})

// attack case D56
test.each(['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' onclick='x", '&lt;b&gt;', '{name}', '{0, plural, other {x}}'])(
  '%j is printed as text everywhere',
  hostile => {
    const { html, text } = write('invitation', { name: hostile }, { ...brand, brandName: hostile })
    const tagsOf = (page: string) => page.match(/<[^>]*>/g)
    expect(tagsOf(html)).toEqual(tagsOf(write('invitation').html))
    expect(text).toContain(hostile)
  },
)

test('a subject is one line, and direction marks are removed', () => {
  const { subject, html, text } = write('invitation', { name: 'A\u202Ena\u200B' }, { ...brand, brandName: 'Azahar\r\nBcc: e@e.test\u202E' })
  expect(subject).toBe('Su acceso a Azahar Bcc: e@e.test')
  expect(html + text).not.toMatch(/[\u200b\u202e]/)
  expect(text).toContain('Ana')
})
