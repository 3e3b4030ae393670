import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { demoScope } from '#server/session/testing.ts'
import { brandOf, type PdfDocument, sourceOf } from '../pdf/document.ts'
import { openRenderer } from './renderer.ts'

// Any text in any place of a document is printed. `TEXTS=2000 npm test -- typesetting/texts` plays more.

const numRuns = Number(process.env['TEXTS'] ?? 15)

const renderer = openRenderer()
afterAll(() => renderer.stop())

const whole: Omit<PdfDocument, 'brand' | 'at'> = {
  lang: 'es',
  region: 'es',
  title: 'Certificado',
  subtitle: 'Viaje Esencial',
  running: 'Certificado · P-1',
  intro: 'Gracias.',
  footer: 'Aseguradora',
  parts: [
    { kind: 'hero', rows: [{ label: 'Póliza', value: 'P-1', note: 'en vigor' }] },
    {
      kind: 'facts',
      sides: [
        { heading: 'Tomador', rows: [{ label: 'Nombre', value: 'Ana' }] },
        { heading: 'Viaje', rows: [] },
      ],
    },
    {
      kind: 'table',
      heading: 'Asegurados',
      columns: [
        { label: 'Nombre', wide: true, end: false },
        { label: 'Documento', wide: false, end: true },
      ],
      rows: [
        ['Ana', '1'],
        ['Leo', '2'],
      ],
      total: ['Dos', '3'],
    },
    { kind: 'help', heading: 'Ayuda', note: 'Siempre', phone: '+34 900', email: 'ayuda@example.es' },
    { kind: 'check', heading: 'Comprobar', note: 'En la red', rows: [{ label: 'Código', value: 'A' }], qr: null, alt: 'Código' },
    {
      kind: 'answers',
      columns: [[{ heading: '¿Qué?', sign: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>', mark: 'yes', items: ['Sí'] }]],
      together: false,
    },
    { kind: 'page' },
    { kind: 'articles', items: [{ heading: 'Artículo', items: ['Uno'] }] },
    { kind: 'note', heading: 'Nota', items: ['Fin'] },
  ],
}
/** Words of the template's own language, and a picture's source; people do not write them. */
const fixed = new Set(['lang', 'region', 'kind', 'mark', 'sign', 'qr'])
/** Words of the portal and the catalogue alone, which are never empty. */
const neverEmpty = new Set(['title', 'heading'])
const mostPlaces = JSON.stringify(whole, (name, value: unknown) => (typeof value === 'string' && !fixed.has(name) ? '§' : value)).split(
  '§',
).length

const long = 10_000
const hostile = [
  '\u202Eana\u202C \u2066\u2067\u2068\u2069 \u200F\u200E',
  '\u0000\u0001\u0007\u001B[31m\u007F\u0085\u2028\u2029\r\n\t'.repeat(9),
  'á'.repeat(long),
  'W'.repeat(long),
  'una palabra '.repeat(long / 12),
  `a${'\u0301\u0489\u20DD'.repeat(long / 4)}`,
  '👩‍👩‍👧‍👦🏳️‍🌈👍🏽🇪🇸'.repeat(200),
  '\uD800 \uDFFF \uFFFE \u{10FFFF} \uE000',
  '\u{E0041}\u{E007F}\u00AD\u2060\uFEFF\u3164',
  'שלום عليكم 你好 สวัสดี ไทย 한국어 ᚠᚢ 𓀀 ﷽'.repeat(40),
  '#panic("x") #read("/etc/passwd") $ x^2 $ *a* _b_ `c` <d> @e \\ // /* "',
  '"}],"parts":[{"kind":"page"}]',
  '   ',
  '',
]
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostile) },
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
)
const changes = fc.array(fc.tuple(fc.nat({ max: mostPlaces }), text), { minLength: 1, maxLength: 4 })

test('any text in any place is printed', async () => {
  await fc.assert(
    fc.asyncProperty(changes, async placed => {
      let place = 0
      const texts = new Map(placed)
      // Safe: only texts are replaced, by texts.
      const changed = JSON.parse(JSON.stringify(whole), (name, value: unknown) => {
        if (typeof value !== 'string' || fixed.has(name)) return value
        const placed = texts.get(place++)
        return placed === undefined ? value : neverEmpty.has(name) ? `A ${placed}` : placed
      }) as typeof whole
      const brand = brandOf(texts.get(place++) ?? 'Azahar', '#1f6f8b', [texts.get(place++) ?? 'Madrid'], '')
      const source = sourceOf({ ...changed, brand, at: new Date('2026-11-01T12:00:00Z') })
      const content = await renderer.renderAgain(demoScope('azahar').businessUnitId, source)
      expect(content.subarray(0, 5).toString()).toBe('%PDF-')
    }),
    { numRuns },
  )
})
