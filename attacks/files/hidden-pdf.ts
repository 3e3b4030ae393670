import { deflateRawSync, deflateSync } from 'node:zlib'
import { pdfOf, streamOf } from './pdf.ts'

// PDFs that run a script or open a link as soon as they are opened, and hide it from a program that reads them as text.

const script = '/S /JavaScript /JS (app.alert\\(1\\))'
const link = '/S /URI /URI (http://evil.example)'
const runs = `/OpenAction << ${script} >>`
const opens = '/OpenAction 5 0 R'
/** An object that gives a stream invented before it an end. */
const later = { 9: '<< /X (endstream) >>' }

/** Returns a document with these keys in its catalogue, and these objects. */
const of = (keys: string, objects: Record<number, Buffer | string> = {}): Buffer =>
  pdfOf({
    1: `<< /Type /Catalog /Pages 2 0 R ${keys} >>`,
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
    ...objects,
    ...later,
  })

const packed = `5 0 << ${script} >>`
/** Returns an object stream, deflated, with these blanks or signs before its data. */
function packedBehind(before: string, entries = '/Type /ObjStm /N 1 /First 4', text = packed): Buffer {
  const data = deflateSync(Buffer.from(text))
  const head = `<< ${entries} /Filter /FlateDecode /Length ${data.length} >>${before}`
  return Buffer.concat([Buffer.from(head, 'latin1'), data, Buffer.from('\nendstream')])
}

/** Returns deflated text whose packed bytes have a false end after the first four letters. */
function withFalseEnd(text: string): Buffer {
  const stored = Buffer.from(`${text.slice(0, 4)}%\nendstream endobj\n`)
  const head = Buffer.from([0x78, 0x9c, 0, stored.length, 0, ~stored.length & 0xff, 0xff])
  return Buffer.concat([head, stored, deflateRawSync(Buffer.from(text.slice(4))), Buffer.alloc(4)])
}

/** Returns a document whose table has object 5 at the last one of these letters. */
function withFifthAt(document: Buffer, letters: string): Buffer {
  const text = document.toString('latin1')
  const fifth = text.indexOf('0000000000 65535 f') + 5 * 20
  const place = String(text.indexOf(letters) + letters.length - 1).padStart(10, '0')
  return Buffer.from(`${text.slice(0, fifth)}${place} 00000 n${text.slice(fifth + 18)}`, 'latin1')
}

const inPicture = (object: string): Buffer =>
  withFifthAt(of(opens, { 4: streamOf('/Subtype /Image /Filter /DCTDecode', Buffer.from(`\n5 0 obj\n${object}\nendobj\n`)) }), '\n5')

/** Returns a document with a number of many zeros. The blanks of another object make room for them. */
function manyZeros(): Buffer {
  const text = of(opens, { 4: `<< /X (${' '.repeat(60)}) >>`, 15: `<< ${link} >>` }).toString('latin1')
  return Buffer.from(text.replace('15 0 obj', `1${'0'.repeat(60)}5 0 obj`).replace(' '.repeat(60), ''), 'latin1')
}

/** Returns a document whose stream of places has object 5 within the number of object 15. */
function inNumberByStream(): Buffer {
  const text = of(opens, { 15: `<< ${link} >>` }).toString('latin1')
  const end = text.indexOf('xref\n')
  const places = Array.from({ length: 17 }, (_, number) =>
    number === 5 ? text.indexOf('15 0 obj') + 1 : text.indexOf(`\n${number} 0 obj`) + 1,
  )
  places[16] = end
  const rows = Buffer.concat(places.map(place => Buffer.from([place > 0 ? 1 : 0, place >> 8, place & 0xff, 0])))
  const table = streamOf('/Type /XRef /Size 17 /Root 1 0 R /W [1 2 1] /Filter /FlateDecode', deflateSync(rows))
  return Buffer.concat([Buffer.from(`${text.slice(0, end)}16 0 obj\n`, 'latin1'), table, Buffer.from(`endobj\nstartxref\n${end}\n%%EOF`)])
}

/** Returns a document whose trailer says that it is encrypted, with this object stream. */
const encrypted = (stream: Buffer): Buffer =>
  Buffer.from(of(opens, { 6: stream }).toString('latin1').replace('/Root 1 0 R', '/Root 1 0 R /Encrypt 7 0 R'), 'latin1')

/** PDFs that open a link by themselves, in each way that readers know. */
export const opening: Record<string, () => Buffer> = {
  'as the document opens': () => of(`/OpenAction << ${link} >>`),
  'by an object': () => of(opens, { 5: `<< ${link} >>` }),
  'after a page': () => of('/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next 5 0 R >>', { 5: `<< ${link} >>` }),
  'as a page opens': () =>
    of('', { 3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /AA 4 0 R >>', 4: '<< /O 5 0 R >>', 5: `<< ${link} >>` }),
  'by a packed object': () => of(opens, { 6: packedBehind(behind, '/Type /ObjStm /N 1 /First 4', `5 0 << ${link} >>`) }),
}

const behind = '\nstream\n'

export const hidden: Record<string, () => Buffer> = {
  'a stream that begins in a string': () => of(`/X (>>stream\n) ${runs}`),
  'a stream that begins in a string in a string': () => of(`/X ((a) << >> stream\n) ${runs}`),
  'a stream that begins after a parenthesis of a string': () => of(`/X (\\) << >> stream\n) ${runs}`),
  'a stream that begins in a comment': () => of(`%>>stream\n ${runs}`),
  'a stream that begins in a list': () => of(opens, { 5: `<< /X [ >>stream\n ] ${script} >>` }),
  'a link after a stream that begins in a string': () => of(opens, { 4: '<< /X (>>stream\r\n) >>', 5: `<< ${link} >>` }),
  'packed objects after a stream that begins in a string': () => of(opens, { 4: '<< /X (>>stream\n) >>', 6: packedBehind(behind) }),
  'packed objects after a comment': () => of(opens, { 6: packedBehind(' % x\nstream\n') }),
  'packed objects after many blanks': () => of(opens, { 6: packedBehind(`${' '.repeat(30)}${behind}`) }),
  'packed objects after a NUL': () => of(opens, { 6: packedBehind('\0stream\n') }),
  'packed objects after a blank': () => of(opens, { 6: packedBehind('\nstream \n') }),
  'packed objects with a false end': () => of(opens, { 6: streamOf('/Type /ObjStm /N 1 /First 4 /Filter /Fl', withFalseEnd(packed)) }),
  'an object stream with a false end': () =>
    of(opens, { 6: streamOf('/Type /ObjStm /N 1 /First 4', Buffer.from(`5 0 << /X (endstream\n) ${link} >>`)) }),
  'packed objects whose numbers stand elsewhere': () => of(opens, { 6: packedBehind(behind, '/N 7 0 R /First 8 0 R'), 7: '1', 8: '4' }),
  'a comment among the places of packed objects': () =>
    of(opens, { 6: packedBehind(behind, '/Type /ObjStm /N 1 /First 12', `5 %90 90\n 0 << ${link} >>`) }),
  'two packed objects in one place': () => of(opens, { 6: packedBehind(behind, '/Type /ObjStm /N 2 /First 8', `5 0 7 0 << ${link} >>`) }),
  'a packed object in another': () => of(opens, { 6: packedBehind(behind, '/Type /ObjStm /N 2 /First 8', `5 0 7 3 << ${link} >>`) }),
  'places of packed objects after the first object': () =>
    of(opens, { 6: packedBehind(behind, '/Type /ObjStm /N 2 /First 4', `7 0 5 4 << ${link} >>`) }),
  'an end of an object as a value': () => of(opens, { 5: `<< /X 1 endobj ${link} >>` }),
  'an end of an object after a hexadecimal string': () => of(opens, { 5: `<< /X <41>> endobj ${link} >>` }),
  'an end of a dictionary in a list': () => of(opens, { 5: `<< /X [ >> ] endobj ${link} >>` }),
  'a dictionary after a link’s address': () => of(opens, { 5: '<< /URI (http://evil.example) << /S /URI << >>' }),
  'a script within a picture': () => inPicture(`<< ${script} >>`),
  'a link within a picture': () => inPicture(`<< ${link} >>`),
  'a link at the second digit of another’s number': () => withFifthAt(of(opens, { 15: `<< ${link} >>` }), '\n15'),
  'a link at the second digit of another’s number, by a stream': inNumberByStream,
  'a link at the sign within another’s number': () =>
    withFifthAt(
      Buffer.from(
        of(opens, { 115: `<< ${link} >>` })
          .toString('latin1')
          .replace('115 0 obj', '1+5 0 obj'),
        'latin1',
      ),
      '\n1+',
    ),
  'a link at the first zero within another’s number': () => withFifthAt(manyZeros(), '\n10'),
  'encrypted objects': () => encrypted(streamOf('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', Buffer.from('encrypted'))),
  'encrypted objects that can be read': () => encrypted(streamOf('/Type /ObjStm /N 1 /First 4', Buffer.from('7 0 encrypted'))),
  'a catalogue in the trailer': () =>
    Buffer.from(
      of('').toString('latin1').replace('/Root 1 0 R', `/X (>>stream\n) /Root << /Type /Catalog ${runs} >> /Y (endstream)`),
      'latin1',
    ),
}
