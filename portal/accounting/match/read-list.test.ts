import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { readList } from './read-list.ts'

test('a workbook is read as CSV, with its numbers and texts', async () => {
  const rows = [
    ['Póliza', 'Importe'],
    ['AZ;1', 33.76],
    ['=x', -5],
  ]
  const bytes = await writeXlsx({ sheets: [{ name: 'List', rows }] })
  expect(await readList(bytes)).toBe(`Póliza;Importe\r\n"AZ;1";33.76\r\n"'=x";-5`)
})

test('a text is read in its encoding, and any other file is refused', async () => {
  expect(await readList(new Uint8Array(Buffer.from('Póliza;1', 'latin1')))).toBe('Póliza;1')
  expect(await readList(new Uint8Array())).toBe('')
  expect(await readList(new Uint8Array(Buffer.from('%PDF-1.7')))).toBeUndefined()
  expect(await readList(new Uint8Array(Buffer.from('PK\u0003\u0004 broken')))).toBeUndefined()
})
