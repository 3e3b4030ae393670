import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { displayDate, isDate, parseDate } from '#common/kit/dates.ts'
import { locales } from '#common/kit/locales.ts'
import { anyValue } from '#common/kit/testing.ts'
import { step2Problems } from '#common/policies/step2.ts'
import { extraTravellerProblems, policyholderRowProblems } from '#common/policies/step2-rows.ts'
import { messagesOf } from '#tools/message-ids.ts'
import { cellText, fieldText, mostRows, tableOf, travellersOf } from './cells.ts'
import { fieldsOf, type ImportField, recognised } from './columns.ts'
import { dateText } from './values.ts'
import { kindOf, mostBytes } from '#common/kit/sheet/file.ts'
import { holdsPassports, rowsOfText } from './headers.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

describe('columns', () => {
  const words: Record<ImportField, string> = {
    name: 'funnel.name',
    middleName: 'funnel.middleName',
    lastName: 'funnel.lastName',
    birthDate: 'funnel.birthDate',
    docNumber: 'funnel.documentNumber',
    documentKind: 'funnel.documentKind',
  }

  test.each(locales)('columns are recognised by the form’s labels in %s, in any order', locale => {
    const messages = messagesOf(locale)
    for (const second of [true, false]) {
      const fields = fieldsOf(second)
      const label = (field: ImportField) => messages.get(field === 'middleName' && !second ? 'funnel.surname' : words[field]) ?? ''
      const named = (field: ImportField) =>
        // The template adds the date format to this name.
        (field === 'birthDate'
          ? (messages.get('people.import.date_format') ?? '').replace('{label}', label(field))
          : label(field)
        ).toUpperCase()
      fc.assert(
        fc.property(fc.shuffledSubarray(fields, { minLength: fields.length }), order => {
          const { columns, byName } = recognised([order.map(named)], second)
          expect(byName).toBe(true)
          expect(fields.map(field => columns[field])).toEqual(fields.map(field => order.indexOf(field)))
        }),
      )
    }
  })

  test.each([
    [
      ['Last name', 'First name', 'DOB', 'Passport no.'],
      { name: 1, middleName: 0, lastName: 0, birthDate: 2, docNumber: 3, documentKind: -1 },
    ],
    [
      ['Nº documento', 'Apellidos', 'Nombre', 'Fecha de nacimiento (DD/MM/AAAA) *'],
      { name: 2, middleName: 1, lastName: 1, birthDate: 3, docNumber: 0, documentKind: -1 },
    ],
    [
      ['PRÉNOM', 'Nom', 'Né(e) le', 'Pièce d’identité'],
      { name: 0, middleName: 1, lastName: 1, birthDate: 2, docNumber: 3, documentKind: -1 },
    ],
    [
      ['middleName', 'lastName', 'name', 'remarks'],
      { name: 2, middleName: 0, lastName: 1, birthDate: -1, docNumber: -1, documentKind: -1 },
    ],
    [['First name', 'Middle name', 'Last name'], { name: 0, middleName: 2, lastName: 2, birthDate: -1, docNumber: -1, documentKind: -1 }],
    [['Nom', 'Cognoms'], { name: 0, middleName: 1, lastName: 1, birthDate: -1, docNumber: -1, documentKind: -1 }],
    [['Habitación', 'Pasajero', 'F. Nac'], { name: 1, middleName: 1, lastName: 1, birthDate: 2, docNumber: -1, documentKind: -1 }],
    [['Nombre', 'Sexo', 'DNI'], { name: 0, middleName: 0, lastName: 0, birthDate: -1, docNumber: 2, documentKind: -1 }],
  ])('are recognised as people name them: %j', (header, columns) => {
    expect(recognised([header], true).columns).toEqual(columns)
  })

  test.each([
    ['Passport no.', true],
    ['N.º de pasaporte', true],
    ['Passeport', true],
    ['N° passeport', true],
    ['N.º de DNI, NIE o pasaporte', false],
    ['Documento', false],
  ])('named %j contain only passports: %s', (name, passports) => expect(holdsPassports(name)).toBe(passports))

  test('columns without a header are found by dates, documents and given names', () => {
    const rows = [
      ['12345678Z', 'García López', 'Ana', '15/01/1990', 'doble'],
      ['X1234567L', 'Pérez Ruiz', 'Luis', '32888', 'doble'],
    ]
    expect(recognised(rows, false).columns).toMatchObject({ name: 2, middleName: 1, birthDate: 3, docNumber: 0 })
    expect(recognised([['García López, Ana', '15/01/1990']], true).columns).toMatchObject({
      name: 0,
      middleName: 0,
      lastName: 0,
      birthDate: 1,
    })
  })

  test('columns follow the template if no name is known', () => {
    expect(recognised([['a', 'b', 'c']], true)).toEqual({
      columns: { name: 0, middleName: 1, lastName: 2, birthDate: -1, docNumber: -1, documentKind: -1 },
      byName: false,
    })
    expect(recognised([['a', 'b', 'c', 'd']], false).columns).toEqual({
      name: 0,
      middleName: 1,
      lastName: -1,
      birthDate: 2,
      docNumber: 3,
      documentKind: -1,
    })
  })
})

describe('a cell', () => {
  test.each([
    ['15/01/1990', '15/01/1990'],
    ['1990-01-15', '15/01/1990'],
    ['1990-01-15T00:00:00.000Z', '15/01/1990'],
    ['1990-01-15 00:00:00', '15/01/1990'],
    ['15.1.1990', '15/01/1990'],
    ['15-01-1990', '15/01/1990'],
    ['15011990', '15/01/1990'],
    ['19900115', '15/01/1990'],
    ['20050630', '30/06/2005'],
    ['20101012', '12/10/2010'],
    ['20122012', '20/12/2012'],
    ['32888', '15/01/1990'],
    ['32888.75', '15/01/1990'],
    ['31/02/1990', '31/02/1990'],
    ['15/01/90', '15/01/90'],
    ['soon', 'soon'],
    ['', ''],
  ])('%j is the date %j', (text, date) => expect(dateText(text)).toBe(date))

  test('a cell is read in every date format, and any other text is kept', () => {
    const day = fc
      .date({ min: new Date('1930-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
      .map(date => date.toISOString().slice(0, 10))
    fc.assert(
      fc.property(day, iso => {
        const shown = displayDate(iso) ?? ''
        const serial = (Date.parse(iso) - Date.parse('1899-12-30')) / 86_400_000
        for (const text of [iso, shown, shown.replaceAll('/', '.'), shown.replaceAll('/', ''), `${iso} 00:00`, String(serial)])
          expect(dateText(text)).toBe(shown)
        expect(dateText(cellText(new Date(iso)))).toBe(shown)
      }),
    )
    fc.assert(
      fc.property(fc.string(), text => {
        const made = dateText(text)
        expect(made === text || isDate(parseDate(made))).toBe(true)
      }),
    )
  })

  test('a cell is one line of text', () => {
    fc.assert(
      fc.property(anyValue, value => {
        expect(cellText(value)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]|^\s|\s$/u)
      }),
    )
    expect(cellText('=1+1')).toBe('=1+1')
    expect(cellText(12345678)).toBe('12345678')
    expect(cellText('  José\u00a0\u200bLuis\r\n')).toBe('José Luis')
  })
})

describe('a text', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'Ñ', '"', ',', ';', '\t', '\n', ' ', '=') })

  test.each([',', ';', '\t'])('a text separated by %j returns every cell', sign => {
    const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1 })
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n', '\r'), (rows, end) => {
        const written = [['name', 'surname', 'document'], ...rows].map(row => row.map(text => `"${text.replaceAll('"', '""')}"`).join(sign))
        expect(rowsOfText(written.join(end))).toEqual([['name', 'surname', 'document'], ...rows])
      }),
    )
  })

  test('a text with an unclosed quote loses no row', () => {
    expect(rowsOfText('name,surname\n"Ana,García\nLuis,Pérez')).toEqual([
      ['name', 'surname'],
      ['"Ana', 'García'],
      ['Luis', 'Pérez'],
    ])
  })
})

describe('a table', () => {
  test('a table skips empty rows and has at most two hundred travellers', () => {
    expect(tableOf([[], ['Name', null], ['', ' '], ['Ana', 'García', null]])).toEqual([
      ['Name', ''],
      ['Ana', 'García'],
    ])
    const rows = (many: number) => Array.from({ length: many + 1 }, () => ['x'])
    expect(tableOf(rows(mostRows))).toHaveLength(mostRows + 1)
    expect(tableOf(rows(mostRows + 1))).toBe('too_many')
    expect(tableOf([['', ' '], [null]])).toBe('empty')
  })

  test('a table becomes travellers by its columns', () => {
    const columns = { name: 1, middleName: 0, lastName: -1, birthDate: 2, docNumber: 9, documentKind: 3 }
    const reading = { second: true, order: undefined }
    expect(travellersOf([['García', '=Ana', '32888', 'Pasaporte']], columns, reading)).toEqual([
      { name: '=Ana', middleName: 'García', lastName: '', birthDate: '15/01/1990', docNumber: '', documentKind: 'passport' },
    ])
  })

  test.each([
    // One column contains both surnames.
    [true, { name: 0, middleName: 1, lastName: 1 }, 'Ana | García López', 'Ana | García | López'],
    [false, { name: 0, middleName: 1, lastName: -1 }, 'Ana | García López', 'Ana | García López | '],
    // A unit with one surname loses nothing from two columns.
    [false, { name: 0, middleName: 1, lastName: 2 }, 'Ana | García | López', 'Ana | García López | '],
    [true, { name: 0, middleName: 1, lastName: 2 }, 'Ana | García López | Ruiz', 'Ana | García López | Ruiz'],
    [true, { name: 0, middleName: 0, lastName: 0 }, 'García López, Ana', 'Ana | García | López'],
    [false, { name: 0, middleName: 0, lastName: -1 }, 'García López, Ana', 'Ana | García López | '],
    [true, { name: 0, middleName: 0, lastName: 1 }, 'García, Ana | López', 'Ana | García | López'],
    [true, { name: 0, middleName: 0, lastName: -1 }, 'García López, Ana', 'Ana | García López | '],
  ])('with two surnames %s splits a shared column: %j', (second, names, cells, person) => {
    const columns = { ...names, birthDate: -1, docNumber: -1, documentKind: -1 }
    const [row] = travellersOf([cells.split(' | ')], columns, { second, order: undefined })
    expect([row?.name, row?.middleName, row?.lastName].join(' | ')).toBe(person)
  })

  test.each([
    ['12345678-Z', '12345678Z'],
    ['12.345.678-z', '12345678Z'],
    ['X-1234567-L', 'X1234567L'],
    ['rss mrc 80a01 h501w', 'RSSMRC80A01H501W'],
    // Other numbers, and those with a wrong check letter, are kept.
    ['12345678-A', '12345678-A'],
    ['AB 123456', 'AB 123456'],
  ])('has the document %j as %j', (text, number) => expect(fieldText('docNumber', text)).toBe(number))

  test.each([
    ['P', 'passport'],
    ['PASSEPORT', 'passport'],
    ['', 'national'],
    ['D.N.I.', 'national'],
    ['Carta d’identità', 'national'],
    ['visado', 'visado'],
  ])('has %j as the kind of document %j', (text, kind) => expect(fieldText('documentKind', text)).toBe(kind))

  test('a table has its rows validated like the form', () => {
    const text = fc.constantFrom(
      '',
      ' ',
      'Ana',
      'x'.repeat(101),
      '12345678z',
      '12345678A',
      '15/01/1990',
      '15/01/2020',
      '1944-12-31',
      'soon',
    )
    const row = fc.record({
      name: text,
      middleName: text,
      lastName: text,
      birthDate: text,
      docNumber: text,
      documentKind: fc.constantFrom('national', 'passport', 'visa'),
    })
    fc.assert(
      fc.property(row, fc.constantFrom(...locales), fc.constantFrom('0', '1'), (row, locale, showSecondLastName) => {
        const settings = { locale, today: '2026-11-21', showSecondLastName }
        const onForm = step2Problems({ policyHolderType: { id: 1 }, extraTravellers: [row] }, 2, settings)
        const ofRow = onForm.flatMap(problem => {
          const field = /^extraTravellers\[0\]\.(.+)$/.exec(problem.path)?.[1]
          return field ? [{ ...problem, path: field }] : []
        })
        expect(extraTravellerProblems(row, settings)).toEqual(ofRow)

        // As the policyholder, they are of age and have a document. Their contact data are typed.
        const { docNumber, ...others } = row
        const typed = { policyHolderType: { id: 1 as const }, ...others, documentNumber: docNumber }
        const names = new Set(['name', 'middleName', 'lastName', 'birthDate', 'documentNumber', 'documentKind'])
        const ofHolder = step2Problems(typed, 1, settings).filter(({ path }) => names.has(path))
        expect(
          policyholderRowProblems(row, settings).map(problem =>
            problem.path === 'docNumber' ? { ...problem, path: 'documentNumber' } : problem,
          ),
        ).toEqual(ofHolder)
      }),
    )
  })
})

describe('a file', () => {
  test('a file is recognised by its content', () => {
    expect(kindOf(new Uint8Array())).toBe('empty')
    expect(kindOf(new Uint8Array(mostBytes + 1))).toBe('too_big')
    expect(kindOf(bytesOf('name;surname\r\nÑ;é'))).toBe('text')
    expect(kindOf(Uint8Array.of(0xff, 0xfe, 0x41, 0))).toBe('text')
    expect(kindOf(bytesOf('%PDF-1.7\n'))).toBe('other_kind')
    expect(kindOf(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10))).toBe('other_kind')
    expect(kindOf(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0))).toBe('locked')
    expect(kindOf(bytesOf('PK\u0003\u0004 and then nothing'))).toBe('broken')
  })

  test('a file is classified whatever its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        expect(typeof kindOf(bytes)).toBe('string')
        expect(typeof kindOf(Uint8Array.from([0x50, 0x4b, 3, 4, ...bytes]))).toBe('string')
      }),
    )
  })
})
