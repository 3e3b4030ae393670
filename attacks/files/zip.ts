import { crc32, deflateRawSync } from 'node:zlib'

/** A file in a zip: its packed bytes and its directory data. */
export type Entry = { name: string; packed: Buffer; size: number; crc: number; method: 0 | 8 }

export const deflated = (name: string, data: Buffer): Entry => ({
  name,
  packed: deflateRawSync(data, { level: 9 }),
  size: data.length,
  crc: crc32(data),
  method: 8,
})
export const stored = (name: string, data: Buffer): Entry => ({ name, packed: data, size: data.length, crc: crc32(data), method: 0 })

function localHead({ name, packed, size, crc, method }: Entry): Buffer {
  const head = Buffer.alloc(30 + name.length)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(method, 8)
  head.writeUInt32LE(crc, 14)
  head.writeUInt32LE(packed.length, 18)
  head.writeUInt32LE(size, 22)
  head.writeUInt16LE(name.length, 26)
  head.write(name, 30, 'latin1')
  return head
}

function directoryRow({ name, packed, size, crc, method }: Entry, at: number): Buffer {
  const row = Buffer.alloc(46 + name.length)
  row.writeUInt32LE(0x02014b50, 0)
  row.writeUInt16LE(20, 4)
  row.writeUInt16LE(20, 6)
  row.writeUInt16LE(method, 10)
  row.writeUInt32LE(crc, 16)
  row.writeUInt32LE(packed.length, 20)
  row.writeUInt32LE(size, 24)
  row.writeUInt16LE(name.length, 28)
  row.writeUInt32LE(at, 42)
  row.write(name, 46, 'latin1')
  return row
}

/** Builds a zip. With `shared`, every directory entry points to the first file's bytes. */
export function zip(entries: Entry[], shared = false): Buffer {
  const bodies: Buffer[] = []
  const rows: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    if (!shared || at === 0) bodies.push(localHead(entry), entry.packed)
    rows.push(directoryRow(entry, shared ? 0 : at))
    at += 30 + entry.name.length + entry.packed.length
  }
  const [files, directory] = [Buffer.concat(bodies), Buffer.concat(rows)]
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 8)
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(files.length, 16)
  return Buffer.concat([files, directory, end])
}
