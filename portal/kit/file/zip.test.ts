import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { zipOf } from './zip.ts'

/** Reads an archive by its directory, as programs do. */
function read(zip: Buffer): { name: string; text: string }[] {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'))
  let at = zip.readUInt32LE(end + 16)
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    expect(zip.readUInt32LE(at)).toBe(0x02014b50)
    const [checksum, size, nameSize, head] = [
      zip.readUInt32LE(at + 16),
      zip.readUInt32LE(at + 24),
      zip.readUInt16LE(at + 28),
      zip.readUInt32LE(at + 42),
    ]
    const name = zip.toString('utf8', at + 46, at + 46 + nameSize)
    at += 46 + nameSize
    expect([zip.readUInt32LE(head), zip.toString('utf8', head + 30, head + 30 + nameSize)]).toEqual([0x04034b50, name])
    const content = zip.subarray(head + 30 + nameSize, head + 30 + nameSize + size)
    expect(crc32(content)).toBe(checksum)
    return { name, text: content.toString() }
  })
}

test('an archive contains every file unchanged, in any language, and no name twice', async () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const long = 'ñ'.repeat(70_000)
  const zip = zipOf([
    { name: 'póliza 1.pdf', content: bytes('one') },
    { name: 'póliza 1.pdf', content: bytes('two') },
    { name: 'empty', content: bytes('') },
    { name: 'empty', content: bytes(long) },
  ])
  expect(read(Buffer.from(await zip.arrayBuffer()))).toEqual([
    { name: 'póliza 1.pdf', text: 'one' },
    { name: 'póliza 1 (2).pdf', text: 'two' },
    { name: 'empty', text: '' },
    { name: 'empty (2)', text: long },
  ])
  expect(read(Buffer.from(await zipOf([]).arrayBuffer()))).toEqual([])
})
