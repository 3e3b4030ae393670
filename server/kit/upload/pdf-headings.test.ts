import { expect, test } from 'vitest'
import { inspectPdf } from './pdf.ts'

const stream = (entries: string, text: string): string => `<< ${entries} /Length ${text.length} >>\nstream\n${text}\nendstream`

/** Returns a document of one page with this description and these contents. */
function documentOf({ description = 'x', contents = 'BT (a) Tj ET' }: { description?: string; contents?: string }): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 5 0 R >>',
    stream('/Type /Metadata /Subtype /XML', `<x:xmpmeta xmlns:x="adobe:ns:meta/"><d>${description}</d></x:xmpmeta>`),
    stream('', contents),
  ].map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`)
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n9\n%%EOF\n`
  return Buffer.from(`%PDF-1.7\n%\xe2\xe3\xcf\xd3\n${objects.join('')}${end}`, 'latin1')
}

test.each([
  { description: 'Reembolso del 100%\nobjeto del seguro' },
  { description: 'IVA 21%\n2 objetos asegurados' },
  { contents: '% a comment of the generator\nobjet Do' },
])('a word that begins like a heading is none: %j', async parts => {
  expect(await inspectPdf(documentOf(parts))).not.toBe('active')
})

test('headings in one comment count as read', async () => {
  expect(await inspectPdf(documentOf({ contents: '1 0 obj%'.repeat(1_200_000) }))).toBe('heavy')
})
