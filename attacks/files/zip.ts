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

function localHead(entry: Entry): Buffer {
  const head = Buffer.alloc(30 + entry.name.length)
  head.writeUInt32LE(0x04034b50, 0)
  writeFacts(head, 4, entry)
  head.write(entry.name, 30, 'latin1')
  return head
}

function directoryRow(entry: Entry, at: number): Buffer {
  const row = Buffer.alloc(46 + entry.name.length)
  row.writeUInt32LE(0x02014b50, 0)
  row.writeUInt16LE(20, 4)
  writeFacts(row, 6, entry)
  row.writeUInt32LE(at, 42)
  row.write(entry.name, 46, 'latin1')
  return row
}

/** Writes the fields shared by the header of a file and its row in the directory. */
function writeFacts(to: Buffer, at: number, { name, packed, size, crc, method }: Entry): void {
  to.writeUInt16LE(20, at)
  to.writeUInt16LE(method, at + 4)
  to.writeUInt32LE(crc, at + 10)
  to.writeUInt32LE(packed.length, at + 14)
  to.writeUInt32LE(size, at + 18)
  to.writeUInt16LE(name.length, at + 22)
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
