import { deflateSync } from 'node:zlib'
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hidden } from '#attacks/files/hidden-pdf.ts'
import { brokenInside, doubleDeflated, endless, escapedName, manyDeflated } from '#attacks/files/pdf.ts'
import { inspectFile } from './inspect-file.ts'
import { cleanName } from './names.ts'
import { chunk, docx, heic, jpg, pdf, pdfStream, png, pngOf, zip } from './testing.ts'

const verdict = async (name: string, bytes: Buffer): Promise<string> => {
  const result = await inspectFile(name, bytes)
  return typeof result === 'string' ? result : `accepted as ${result.kind}`
}

const zipOf = (files: Record<string, string>) => zip(Object.entries(files).map(([name, content]) => ({ name, content })))
const script = '3 0 << /S /JavaScript /JS (x) >>'
const hex = (content: Buffer | string) => `${Buffer.from(content).toString('hex')}>`
const packed = (text: string) => deflateSync(Buffer.from(text))

const uri = '/S /URI /URI (http://evil.example/x)'
/** A page that is opened and has a link to click, in objects and in an object stream. */
const linked =
  '5 0 obj << /S /GoTo /D [3 0 R /Fit] >> endobj 3 0 obj << /Annots [<< /A << /S /URI /URI (https://e.example) >> >>] >> endobj'
const linkedInStream =
  '1 0 3 21 5 70 << /OpenAction 5 0 R >> << /Annots [<< /A << /S /URI /URI (x) >> >>] >> << /S /GoTo /D [3 0 R /Fit] >>'
test.each([
  ['invoice.pdf', pdf(), 'accepted as pdf'],
  ['INVOICE.PDF', pdf(), 'accepted as pdf'],
  ['photo.jpg', jpg(), 'accepted as jpg'],
  ['photo.JPEG', jpg(), 'accepted as jpg'],
  ['scan.png', png(), 'accepted as png'],
  ['large.png', pngOf(8192, 6144), 'accepted as png'],
  ['large.jpg', jpgOf(8192, 6144), 'accepted as jpg'],
  ['IMG_0001.HEIC', heic(), 'accepted as heic'],
  ['letter.docx', docx(), 'accepted as docx'],
  ['letter.docx', docx([{ name: 'word/_rels/document.xml.rels', content: link('hyperlink') }]), 'accepted as docx'],
  ['short.docx', zipOf({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<w/>' }), 'accepted as docx'],
  [
    'letter.docx',
    docx([{ name: 'word/footer1.xml', content: footer(' PAGE ', ' HYPERLINK "http://dde.example"', 'TOC', ' DDEs', 'D', 'OCPROPERTY E') }]),
    'accepted as docx',
  ],
  ['letter.docx', docx([{ name: 'word/media/a.png', content: png() }]), 'accepted as docx'],
  [
    'letter.docx',
    docx([{ name: 'word/a.xml', content: Buffer.from('\uFEFF<?xml version="1.0" encoding="UTF-16"?><a/>', 'utf16le') }]),
    'accepted as docx',
  ],
  [
    'letter.docx',
    docx([{ name: 'word/a.xml', content: "<?xml version='1.0'?><!-- <> --><a b='>' c = \"'\"\n><![CDATA[<&]]>&lt;<d /></a >" }]),
    'accepted as docx',
  ],
  [
    'strings.pdf',
    pdf(`1 0 obj << /OpenAction 5 0 R >> endobj\n5 0 obj << /S /GoTo /D (100% /URI) % /URI\n>> endobj ${linked}`),
    'accepted as pdf',
  ],
  ['links.pdf', pdf(`1 0 obj << /OpenAction 5 0 R /URI << /Base (x) >> >> endobj ${linked}`), 'accepted as pdf'],
  // The number of a link to click ends with that of the opening. It is read as its own alone, as no table says otherwise.
  ['many-links.pdf', pdf(`1 0 obj << /OpenAction 5 0 R >> endobj\n15 0 obj << /A << ${uri} >> >> endobj\n${linked}`), 'accepted as pdf'],
  ['links.pdf', pdf(pdfStream('/Type /ObjStm /N 3 /First 14 /Filter /Fl', packed(linkedInStream))), 'accepted as pdf'],
  ['letter.pdf', pdf(pdfStream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', packed('3 0 << /Type /Page >>'))), 'accepted as pdf'],
  ['letter.pdf', pdf(pdfStream('/Type /ObjStm /N 1 /First 4', '3 0 << /Type /Page >>')), 'accepted as pdf'],
  [
    'signed.pdf',
    pdf(
      `4 0 obj << /Type /Sig /Filter /Adobe.PPKLite >> endobj\n${pdfStream('/Type /ObjStm/Filter[/FlateDecode]/N 1/First 4', packed('3 0 <<>>'))}`,
    ),
    'accepted as pdf',
  ],
  [
    'locked.pdf',
    pdf(`1 0 obj << /OpenAction 5 0 R >> endobj\n5 0 obj << /S /GoTo >> endobj\n7 0 obj << /X 6 0 R /Encrypt 6 0 R >> endobj`),
    'accepted as pdf',
  ],
  ['colours.pdf', pdf(`4 0 obj << /First 5 0 R /Count 2 >> endobj\n${pdfStream('/N 3 /Filter /DCTDecode', 'profile')}`), 'accepted as pdf'],
  ['numbers.pdf', pdf('1 0 obj << /Type /Catalog /JSON 1 /Launched true >> endobj'), 'accepted as pdf'],
])('the file %s is accepted', async (name, bytes, expected) => expect(await verdict(name, bytes)).toBe(expected))

function link(type: string, attributes = 'TargetMode="External"', name = 'Relationship'): string {
  return `<Relationships><${name} Id="a" Type="http://x/relationships/${type}" Target="http://evil.example/x" ${attributes}/></Relationships>`
}

/** Returns a field whose instruction is written in these pieces. */
function footer(...pieces: string[]): string {
  const runs = pieces.map(piece => `<w:r><w:instrText xml:space="preserve">${piece}</w:instrText></w:r>`).join('')
  return `<w:ftr><w:p><w:fldChar w:fldCharType="begin"/>${runs}<w:fldChar w:fldCharType="end"/></w:p></w:ftr>`
}

const page = '<!doctype html><script>alert(1)</script>'
// Attack cases E67 and E68.
describe('an unsafe file is refused', () => {
  test.each<[what: string, name: string, bytes: Buffer, expected: string]>([
    ['nothing', 'empty.pdf', Buffer.alloc(0), 'empty'],
    ['a page', 'page.html', Buffer.from(page), 'kind'],
    ['a page named as a picture', 'page.png', Buffer.from(page), 'kind'],
    ['a drawing with a script', 'drawing.svg', Buffer.from('<svg onload="alert(1)"/>'), 'kind'],
    ['a drawing named as a PDF', 'drawing.pdf', Buffer.from('<svg><script/></svg>'), 'kind'],
    ['a program named as a PDF', 'tool.pdf', Buffer.from('MZ\x90\x00'), 'kind'],
    ['a PDF named as a program', 'invoice.pdf.exe', pdf(), 'ending'],
    ['a picture named as a PDF', 'photo.pdf', jpg(), 'ending'],
    ['a PDF named as a page', 'invoice.html', pdf(), 'ending'],
    ['a PDF without an ending', 'invoice', pdf(), 'ending'],
    ['GIF and JavaScript', 'x.jpg', Buffer.from('GIF89a/*\0\0*/=1;alert(1)'), 'kind'],
    ['a picture that begins with a page', 'x.png', Buffer.concat([Buffer.from(page), png()]), 'kind'],
    ['a picture with an archive after it', 'x.png', png([], docx()), 'active'],
    ['a photo with a page after it', 'x.jpg', jpg('a beach', page), 'active'],
    ['a photo with a script in its comment', 'x.jpg', jpg(`" onerror=${page}`), 'active'],
    ['a picture with a script in its comment', 'x.png', png([chunk('tEXt', `Comment\0${page}`)]), 'active'],
    ['half a picture', 'x.png', png().subarray(0, 60), 'broken'],
    ['half a photo', 'x.jpg', jpg().subarray(0, 45), 'broken'],
    ['a picture with wrong checksums', 'x.png', Buffer.from(png().toString('latin1').replace('IDAT', 'IDAS'), 'latin1'), 'broken'],
    ['a film', 'x.heic', heic('mp42'), 'kind'],
    ['a picture of a million megapixels', 'x.png', pngOf(0xfffff, 0xfffff), 'large'],
    ['a picture of few bytes and many pixels', 'x.png', pngOf(14_100, 14_100), 'large'],
    ['a photo of many pixels', 'x.jpg', jpgOf(14_100, 14_100), 'large'],
    ['a PDF without an end', 'x.pdf', Buffer.from('%PDF-1.7\n'), 'broken'],
    ['a PDF with text after it', 'x.pdf', pdf(undefined, 'more'), 'broken'],
    ['a PDF with an archive after it', 'x.pdf', pdf(undefined, docx().toString('latin1')), 'active'],
    ['a PDF with a script', 'x.pdf', pdf('1 0 obj << /OpenAction << /S /JavaScript /JS (x) >> >> endobj'), 'active'],
    ['a PDF with a script in #-codes', 'x.pdf', pdf('1 0 obj << /S /J#61vaScript >> endobj'), 'active'],
    ['a PDF that starts a program', 'x.pdf', pdf('1 0 obj << /S /Launch /F (cmd.exe) >> endobj'), 'active'],
    ['a PDF that opens a file elsewhere', 'x.pdf', pdf('1 0 obj << /OpenAction << /S /GoToR /F (//evil.example/x) >> >> endobj'), 'active'],
    ['a document with a packed web page', 'x.docx', docx([{ name: 'word/afchunk.mht', content: 'MIME-Version: 1.0' }]), 'active'],
    ['a PDF that opens a link by itself', 'x.pdf', pdf(`1 0 obj << /OpenAction << ${uri} >> >> endobj`), 'active'],
    [
      'a PDF whose object opens a link by itself',
      'x.pdf',
      pdf(`1 0 obj << /OpenAction 5 0 R >> endobj 5 0 obj << ${uri} >> endobj`),
      'active',
    ],
    [
      'a PDF that opens a link after a page',
      'x.pdf',
      pdf(`1 0 obj << /OpenAction << /S /GoTo /D [3 0 R] /Next 5 0 R >> >> endobj 5 0 obj << ${uri} >> endobj`),
      'active',
    ],
    [
      'a PDF whose page opens a link by itself',
      'x.pdf',
      pdf(`3 0 obj << /Type /Page /AA 4 0 R >> endobj 4 0 obj << /O 5 0 R >> endobj 5 0 obj << ${uri} >> endobj`),
      'active',
    ],
    [
      'a PDF that opens a packed link by itself',
      'x.pdf',
      pdf(
        `1 0 obj << /OpenAction 5 0 R >> endobj ${pdfStream('/Type /ObjStm /N 2 /First 9 /Filter /Fl', packed(`4 0 5 5  null << ${uri} >>`))}`,
      ),
      'active',
    ],
    ...(
      [
        ['a number with a zero in front', '05 0 R', '5 0 obj <<'],
        ['a heading with a zero in front', '5 0 R', '05 0 obj <<'],
        ['a sign and a point', '+5 0 R >> endobj 5 0 obj << /AA << /O 5.0 0R', '+5 0obj <<'],
        ['a heading with a comment', '5 0 R', '5 %x\n0 obj <<'],
        ['a heading with two comments', '5 0 R', '5 0 %x\n% 5 0\nobj <<'],
        ['blanks that are no characters', '5 0 R', '5\0 0\0obj <<'],
        [
          'many blanks',
          '5 0 R >> endobj 5 0 obj << /AA << /O 6\0\n\n\n                         0 R',
          '6                                0 obj <<',
        ],
        ['a reference with a comment', '<< /O 5 % 6\n0 R', '5 0 obj <<'],
        ['an end in a string', '5 0 R', '5 0 obj << /X (\\) (endobj) endobj)'],
        ['an end in a comment', '5 0 R', '5 0 obj << % endobj\n'],
        ['an end in a name', '5 0 R', '5 0 obj << /endobj 1 /x(a)endobj#20 2'],
        ['a string’s begin in a name', '5 0 R', '5 0 obj << /X#28 1'],
        ['a string’s begin before it', '5 0 R', '( % 5 0 obj <<'],
        ['a string’s end in a string', '5 0 R', '5 0 obj << /X (#29 endobj)'],
      ] as const
    ).map(([how, reference, heading]): [string, string, Buffer, string] => [
      `a PDF whose opening link is hidden by ${how}`,
      'x.pdf',
      pdf(`1 0 obj << /OpenAction ${reference} >> endobj\n${heading} ${uri} >> endobj`),
      'active',
    ]),
    ['a PDF with a number longer than any', 'x.pdf', pdf(`${'1'.repeat(13)} 0 obj << /X 1 >> endobj`), 'active'],
    ['a PDF that is read without end', 'x.pdf', pdf(`1 0 obj << /OpenAction 5 0 R >> endobj\n${'5 0 obj << '.repeat(20_000)}`), 'heavy'],
    [
      'a PDF whose opening is hidden by a comment',
      'x.pdf',
      pdf(`1 0 obj << /OpenAction 5%\n0 R >> endobj 5 0 obj << ${uri} >> endobj`),
      'active',
    ],
    [
      'a document with a part of another format',
      'x.docx',
      docx([{ name: 'word/_rels/document.xml.rels', content: link('aFChunk', '').replace('http://evil.example/x', 'page.txt') }]),
      'active',
    ],
    [
      'a document with a part of another format, in letters as numbers',
      'x.docx',
      docx([{ name: 'word/_rels/document.xml.rels', content: link('&#97;FChunk', '') }]),
      'active',
    ],
    ['a document with a packed mail', 'x.docx', docx([], { types: 'message/rfc822' }), 'active'],
    ['a PDF with an embedded file', 'x.pdf', pdf('1 0 obj << /Names << /EmbeddedFiles 3 0 R >> >> endobj'), 'active'],
    ['a PDF with a packed script', 'x.pdf', pdf(pdfStream('/Type /ObjStm /Filter /FlateDecode', packed('<< /S /JavaScript >>'))), 'active'],
    ['a PDF with a script in an uncompressed object stream', 'x.pdf', pdf(pdfStream('/Type /ObjStm /N 1 /First 4', script)), 'active'],
    ['a PDF with a script in hexadecimal', 'x.pdf', pdf(pdfStream('/Type /ObjStm /Filter /ASCIIHexDecode', hex(script))), 'active'],
    [
      'a PDF with a packed script in hexadecimal',
      'x.pdf',
      pdf(pdfStream('/Type /ObjStm /Filter [/AHx /FlateDecode]', hex(packed(script)))),
      'active',
    ],
    ['a PDF with a script packed twice', 'x.pdf', pdf(pdfStream('/Type /ObjStm /Filter [/Fl /Fl]', deflateSync(packed(script)))), 'active'],
    [
      'a PDF with objects packed three times',
      'x.pdf',
      pdf(pdfStream('/Type /ObjStm /Filter [/Fl /Fl /Fl]', deflateSync(deflateSync(packed('3 0 <<>>'))))),
      'active',
    ],
    [
      'a PDF with an object stream whose type is in #-codes',
      'x.pdf',
      pdf(pdfStream('/Type /Obj#53tm /Filter /FlateDecode', packed(script))),
      'active',
    ],
    [
      'a PDF with an object stream without a type',
      'x.pdf',
      pdf(pdfStream('/N 1 /First 4 /Filter /Fl#61teDecode', packed(script))),
      'active',
    ],
    [
      'a PDF with an object stream and a text like an object',
      'x.pdf',
      pdf(pdfStream('/Type /ObjStm /Filter /Fl /X ( obj)', packed(script))),
      'active',
    ],
    ['a PDF with a filter defined elsewhere', 'x.pdf', pdf(pdfStream('/Type /ObjStm /Filter 7 0 R', packed(script))), 'active'],
    ['a PDF with a filter unusual for objects', 'x.pdf', pdf(pdfStream('/Type /ObjStm /Filter /RunLengthDecode', '\x00<')), 'active'],
    ['a PDF with a predictor for objects', 'x.pdf', pdf(pdfStream('/Type /ObjStm /Filter /Fl /DecodeParms 7 0 R', packed('x'))), 'active'],
    [
      'a PDF with a compression error that some readers ignore',
      'x.pdf',
      pdf(pdfStream('/Type /ObjStm /Filter /Fl', packed(script).subarray(2))),
      'active',
    ],
    ['a PDF whose stream has no end', 'x.pdf', pdf('1 0 obj << >>\nstream\nx'), 'broken'],
    [
      'a PDF that unpacks without end',
      'x.pdf',
      pdf(pdfStream('/Type /ObjStm /Filter /FlateDecode', deflateSync(Buffer.alloc(40_000_000)))),
      'heavy',
    ],
    ['an archive', 'x.docx', zipOf({ 'readme.txt': 'x' }), 'kind'],
    ['a workbook', 'x.docx', zipOf({ '[Content_Types].xml': 'x', 'xl/workbook.xml': 'x' }), 'kind'],
    [
      'slides named as a letter',
      'x.docx',
      docx([], { types: 'application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml' }),
      'kind',
    ],
    ['a path out of the archive', 'x.docx', docx([{ name: '../../x', content: 'x' }]), 'broken'],
    ['an absolute path', 'x.docx', docx([{ name: '/etc/passwd', content: 'x' }]), 'broken'],
    ['a path of Windows', 'x.docx', docx([{ name: 'C:\\x', content: 'x' }]), 'broken'],
    ['a link', 'x.docx', docx([{ name: 'word/link', content: '/etc/passwd', unixMode: 0o120777 }]), 'broken'],
    ['a duplicate name', 'x.docx', docx([{ name: 'word/document.xml', content: 'x' }]), 'broken'],
    ['an encrypted part', 'x.docx', docx([{ name: 'word/x.xml', content: 'x', flags: 1 }]), 'broken'],
    ['a part that is longer than declared', 'x.docx', docx([{ name: 'word/x.xml', content: 'x'.repeat(500), claimedSize: 5 }]), 'broken'],
    ['a decompression bomb', 'x.docx', docx([{ name: 'word/x.xml', content: Buffer.alloc(30_000_000) }]), 'broken'],
    ['an archive comment', 'x.docx', docx([], { comment: page }), 'broken'],
    ['a byte before the first part', 'x.docx', docx([], { gap: 'x' }), 'kind'],
    ['macros', 'x.docx', docx([{ name: 'word/vbaProject.bin', content: 'x' }]), 'active'],
    ['a packed program', 'x.docx', docx([{ name: 'word/embeddings/a.docx', content: 'x' }]), 'active'],
    ['an external template', 'x.docx', docx([{ name: 'word/_rels/settings.xml.rels', content: link('attachedTemplate') }]), 'active'],
    ['an entity', 'x.docx', docx([{ name: 'word/x.xml', content: '<!DOCTYPE a [<!ENTITY b "c">]>' }]), 'active'],
    ['a field that starts a program', 'x.docx', docx([{ name: 'word/x.xml', content: '<w:instrText> DDEAUTO c:\\cmd.exe' }]), 'active'],
    [
      'a field that starts a program, in a part named as a picture',
      'x.docx',
      docx([{ name: 'word/x.png', content: ` ${footer('DDEAUTO c:\\cmd.exe')}` }]),
      'active',
    ],
    ['a part that is not XML', 'x.docx', docx([{ name: 'word/x.xml', content: '<a b=c>' }]), 'broken'],
    [
      'a part in an unusual encoding',
      'x.docx',
      docx([{ name: 'word/x.xml', content: '<?xml version="1.0" encoding="UTF-7"?><a/>' }]),
      'broken',
    ],
    ['a part with too much text', 'x.docx', docx([{ name: 'word/x.xml', content: `<a>${noise(21_000_000)}</a>` }]), 'broken'],
  ])('%s', async (_, name, bytes, expected) => expect(await verdict(name, bytes)).toBe(expected))
})

test.each(Object.entries(hidden))('a PDF that opens something by itself is refused, hidden by %s', async (_, make) =>
  expect(await verdict('x.pdf', make())).toBe('active'),
)

describe('an external template is found', () => {
  test.each([
    ['with a letter as a number', link('attachedTemplate', 'TargetMode="&#69;xternal"')],
    ['with a letter as a long number', link('attachedTemplate', 'TargetMode="&#x0000045;xternal"')],
    ['after a character that ends a tag', link('attachedTemplate', 'a=">" TargetMode="External"')],
    ['in single quotes', link('attachedTemplate', "TargetMode\n=\n'External'")],
    ['with a prefix', link('attachedTemplate', 'xmlns:p="x" TargetMode="External"', 'p:Relationship')],
    ['with a second type', link('attachedTemplate', 'x:Type="http://x/relationships/hyperlink" TargetMode="External"')],
    ['in UTF-16, little-endian', Buffer.from(link('attachedTemplate'), 'utf16le')],
    ['in UTF-16, big-endian', Buffer.from(link('attachedTemplate'), 'utf16le').swap16()],
  ])('%s', async (_, content) => expect(await verdict('x.docx', docx([{ name: 'word/_rels/settings.xml.rels', content }]))).toBe('active'))
})

describe('a field that starts a program is found', () => {
  test.each([
    ['in pieces', footer('D', 'DEAU', 'TO c:\\cmd.exe')],
    ['in pieces after others', footer('PAGE', ' D', '<!-- -->', 'D<!-- -->E', ' c:\\cmd.exe')],
    ['with a letter as a number', footer('&#68;DEAUTO c:\\cmd.exe')],
    ['in single quotes', "<w:fldSimple w:instr='DDEAUTO c:\\cmd.exe'/>"],
    ['with a character that ends a tag', '<w:fldSimple w:x=">" w:instr = "&#x20;dde c:\\cmd.exe"/>'],
    ['in CDATA', footer('<![CDATA[DDEAUTO]]> c:\\cmd.exe')],
    ['with another prefix', '<a:instrText>DDE c:\\cmd.exe</a:instrText>'],
    ['after a thousand blanks', footer(`${'&#32;'.repeat(1000)}DDEAUTO c:\\cmd.exe`)],
    [
      'after an end in another namespace',
      `<w:p><w:instrText>D</w:instrText><x:fldChar x:fldCharType="end"/></w:p>${footer('DEAUTO c:\\cmd.exe')}`,
    ],
  ])('%s', async (_, content) => expect(await verdict('x.docx', docx([{ name: 'word/footer1.xml', content }]))).toBe('active'))
})

// Millions of characters, which an algorithm of quadratic time would not finish in a day.
test.each([
  ['a field without end', 'word/x.xml', '<w:instrText', 'broken'],
  ['fields without end', 'word/x.xml', '<w:instrText>', 'accepted as docx'],
  ['short fields', 'word/x.xml', '<w:instrText>D</w:instrText>', 'accepted as docx'],
  ['a relationship without end', 'word/_rels/x.rels', '<Relationship ', 'broken'],
  ['an attribute without end', 'word/x.xml', '<a b="x', 'broken'],
  ['entities', 'word/x.xml', '&#&#68;', 'accepted as docx'],
  ['comments without end', 'word/x.xml', '<!--', 'broken'],
  ['types of a workbook', 'word/x', '<a b="spreadsheetml.', 'broken'],
])('a file of five million characters is inspected in linear time: %s', async (_, name, unit, expected) => {
  const content = unit.repeat(5_000_000 / unit.length)
  expect(await verdict('x.docx', docx([{ name, content, stored: true }]))).toBe(expected)
})

// Each stage alone is within the limit, which holds for all stages together.
test.each([
  ['large between two compressions', doubleDeflated(3)],
  ['invalid after an unpacked part', brokenInside(3)],
  ['each within the limit', manyDeflated(3, 12_000_000)],
  ['without an end', endless(1)],
])('every unpacked byte of a PDF counts, in object streams %s', async (_, bytes) => expect(await verdict('x.pdf', bytes)).toBe('heavy'))

test('#-codes in names are decoded anywhere, and invalid ones left as they are', async () => {
  expect(await verdict('x.pdf', pdf('1 0 obj << /#4#4a /##4a#61#76aScript#20 /#4 # >> endobj'))).toBe('accepted as pdf')
  expect(await verdict('x.pdf', pdf('1 0 obj << /# /#4a#61#76#61#53#63#72#69#70#74 (x) >> endobj'))).toBe('active')
  expect(await verdict('x.pdf', pdf('1 0 obj << /#4A#61vaScrip#7'))).toBe('accepted as pdf')
  expect(await verdict('x.pdf', escapedName())).toBe('accepted as pdf')
})

test('the types of a document are read in linear time', async () => {
  const types = 'spreadsheetml'.repeat(300_000)
  expect(await verdict('x.docx', docx([], { types }))).toBe('broken')
})

/** Returns characters that compress no better than text. */
const noise = (length: number): string => randomBytes(length / 2).toString('hex')

function jpgOf(width: number, height: number): Buffer {
  const photo = jpg()
  const frame = photo.indexOf(Buffer.from([0xff, 0xc0]))
  photo.writeUInt16BE(height, frame + 5)
  photo.writeUInt16BE(width, frame + 7)
  return photo
}

test('data that a phone appends to a photo is cut off', async () => {
  expect(await inspectFile('photo.jpg', jpg('a beach', 'a second, smaller picture'))).toHaveProperty('content', jpg())
})

test('any bytes are inspected without an exception', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    ...[pdf(), png(), jpg(), heic(), docx()].map(good =>
      fc.tuple(fc.nat(good.length - 1), fc.nat(255), fc.boolean()).map(([at, byte, cut]) => {
        const damaged = Buffer.from(cut ? good.subarray(0, at) : good)
        if (!cut) damaged[at] = byte
        return damaged
      }),
    ),
  )
  await fc.assert(
    fc.asyncProperty(bytes, fc.constantFrom('x.pdf', 'x.png', 'x.jpg', 'x.heic', 'x.docx', ''), async (content, name) => {
      const result = await inspectFile(name, Buffer.from(content))
      expect(typeof result === 'string' || result.content.length <= content.length).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['Factura 12.05.2026.pdf', 'Factura 12.05.2026.pdf'],
  ['Dr. Gil.pdf', 'Dr. Gil.pdf'],
  ['../../etc/passwd.pdf', 'passwd.pdf'],
  ['C:\\Users\\ana\\factura.pdf', 'factura.pdf'],
  ['invoice.pdf.exe', 'invoice_pdf.pdf'],
  ['a\r\nSet-Cookie: x.pdf', 'a Set-Cookie x.pdf'],
  ['a\u202Efdp.exe.pdf', 'afdp_exe.pdf'],
  ['<img src=x>.pdf', 'img src=x.pdf'],
  ['CON.pdf', '_CON.pdf'],
  ['.htaccess', 'pdf.pdf'],
  ['', 'pdf.pdf'],
  [`${'é'.repeat(300)}.pdf`, `${'é'.repeat(100)}.pdf`],
])('%j is shown as %j', (name, shown) => expect(cleanName(name, 'pdf')).toBe(shown))
