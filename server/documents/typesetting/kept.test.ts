import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { brandOf, type PdfDocument } from '../pdf/document.ts'
import { openRenderer } from './renderer.ts'

// Sources are kept, and printed again years later. The template may take more, but must print what it took before to the same byte.

const renderer = openRenderer()
afterAll(() => renderer.stop())

const row = { label: 'Number', value: '1000001-A' }
const document: PdfDocument = {
  lang: 'en',
  region: 'gb',
  title: 'Certificate of insurance',
  subtitle: 'Essential Trip',
  running: 'Certificate of insurance',
  intro: 'With the policy wording it is your contract.',
  footer: 'Meridia',
  brand: brandOf('Azahar', '#b4512a', ['+34 961 000 000'], ''),
  parts: [
    { kind: 'hero', rows: [row, { ...row, note: '8 days' }] },
    {
      kind: 'facts',
      sides: [
        { heading: 'Policyholder', rows: [row] },
        { heading: 'Contract', rows: [row] },
      ],
    },
    {
      kind: 'table',
      heading: 'Cover',
      columns: [
        { label: 'Covered', wide: true, end: false },
        { label: 'Up to', wide: false, end: true },
      ],
      rows: [
        ['Luggage', '€1,000'],
        ['- per item', '€350'],
      ],
      total: ['Total', '€1,350'],
    },
    { kind: 'help', heading: 'Help', note: 'Call.', phone: '+34 900 000 000', email: 'support@meridia.example' },
    { kind: 'check', heading: 'Genuine?', note: 'Check it.', rows: [row], qr: null, alt: '' },
    { kind: 'page' },
    {
      kind: 'answers',
      columns: [
        [{ heading: 'Insured?', sign: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"/>', mark: 'yes', items: ['Yes.'] }],
      ],
      together: true,
    },
    { kind: 'articles', items: [{ heading: '1. Exclusions', items: ['War.', 'Riots.'] }] },
    { kind: 'note', heading: 'Note', items: ['Keep it.'] },
  ],
  at: new Date('2026-11-30T10:00:00Z'),
}

test('a source that was kept prints the bytes that it printed before', async () => {
  const { content } = await renderer.render('a unit', document)
  expect(createHash('sha256').update(content).digest('hex')).toBe('14df59253f5c754cbbcd0cfa403472363951ad5b870586d9154e6cfd1c75bac8')
})
