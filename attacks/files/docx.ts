import { randomBytes } from 'node:crypto'
import { deflated, type Entry, stored, zip } from './zip.ts'

const xml = (text: string) => Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`)
const types = deflated(
  '[Content_Types].xml',
  xml(
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  ),
)
const relations = deflated(
  '_rels/.rels',
  xml(
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
  ),
)
const open = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
const close = '</w:body></w:document>'
const document = (text: string) => deflated('word/document.xml', xml(`${open}${text}${close}`))
/** Adds an incompressible comment, because files that compress too well are rejected unread. */
const dense = (text: string) => document(`<!--${randomBytes((text.length / 250) * 0.8).toString('base64')}-->${text}`)
const docx = (...more: Entry[]) => zip([types, relations, ...more])

/** Returns parts of 15 MB of markup each, packed into half a megabyte. */
export function manyParts(parts = 12, each = 15_000_000): Buffer {
  const data = deflated('word/part.xml', xml(`<a>${'<b c="d"/>'.repeat(each / 10)}</a>`))
  return docx(document('<w:p/>'), ...Array.from({ length: parts }, (_, index) => ({ ...data, name: `word/header${index}.xml` })))
}

/** Returns parts of blanks that may turn into markup, with noise to pass for normal compression. */
export function blankParts(parts = 8): Buffer {
  const data = deflated('word/media/a', Buffer.concat([Buffer.alloc(9_940_000, 0x20), randomBytes(45_000)]))
  return docx(document('<w:p/>'), ...Array.from({ length: parts }, (_, index) => ({ ...data, name: `word/media/a${index}` })))
}

/** Returns a directory whose entries all point to the same bytes. */
export function overlapping(entries = 30_000): Buffer {
  const kernel = deflated('word/document.xml', Buffer.alloc(20_000_000, 0x20))
  return zip([types, relations, ...Array.from({ length: entries }, (_, index) => ({ ...kernel, name: `word/h${index}.xml` }))], true)
}

export const tinyEntries = (entries = 60_000): Buffer =>
  docx(document('<w:p/>'), ...Array.from({ length: entries }, (_, index) => stored(`word/m${index}.xml`, Buffer.from('<a/>'))))

export function zipInZip(depth = 20): Buffer {
  let inner = docx(document('<w:p/>'))
  for (let level = 0; level < depth; level++) inner = docx(document('<w:p/>'), deflated('word/embeddings/inner.docx', inner))
  return inner
}

export function entities(): Buffer {
  const names = Array.from({ length: 12 }, (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`).join('')
  return docx(deflated('word/document.xml', xml(`<!DOCTYPE w [<!ENTITY e0 "ha">${names}]>${open}<w:p>&e12;</w:p>${close}`)))
}

export const directoryEnds = (): Buffer =>
  Buffer.concat([docx(document('<w:p/>')), Buffer.from('PK\u0005\u0006'.repeat(2_000_000), 'latin1')])

const fifteen = 15_000_000

/** Markup that never ends or nests deeply. */
export const badMarkup: Record<string, () => Buffer> = {
  'beginnings of tags': () => docx(dense('<'.repeat(fifteen))),
  'tags in tags': () => docx(dense('<a>'.repeat(fifteen / 3))),
  'comments without an end': () => docx(dense('<!--'.repeat(fifteen / 4))),
  'character data without an end': () => docx(dense('<![CDATA['.repeat(fifteen / 9))),
  'instructions without an end': () => docx(dense('<?a '.repeat(fifteen / 4))),
  'an attribute without an end': () => docx(dense(`<a b="${'x'.repeat(fifteen)}`)),
  'quotes without an end': () => docx(dense('<a b="'.repeat(fifteen / 6))),
  'a million attributes': () => docx(dense(`<a ${'b="c" '.repeat(fifteen / 6)}/>`)),
  'blanks in a tag': () => docx(dense(`<a${' '.repeat(fifteen)}`)),
  'a long name': () => docx(dense(`<${'a'.repeat(fifteen)}`)),
  'character references': () => docx(dense('&#x41;'.repeat(fifteen / 6))),
  ampersands: () => docx(dense('&'.repeat(fifteen))),
  'a million relations': () =>
    docx(
      document('<w:p/>'),
      deflated(
        'word/_rels/document.xml.rels',
        xml(`<Relationships>${'<Relationship Id="a" Type="b" Target="c"/>'.repeat(300_000)}</Relationships>`),
      ),
    ),
  'relations of escapes': () =>
    docx(
      document('<w:p/>'),
      deflated(
        'word/_rels/document.xml.rels',
        xml(`<Relationships><Relationship Id="a" Type="b" Target="${'&#x61;'.repeat(2_000_000)}"/></Relationships>`),
      ),
    ),
  'fields in a document': () => docx(dense('<w:instrText> DDEAUTO </w:instrText>'.repeat(300_000))),
}
