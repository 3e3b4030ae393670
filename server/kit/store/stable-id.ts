import { createHash } from 'node:crypto'

/** Returns the same UUID for the same names, on every node and at every load. Its version is 8, for UUIDs of a custom scheme. */
export function stableId(...names: string[]): string {
  const bytes = createHash('sha256')
    .update(['portolan', ...names].join('\u0000'))
    .digest()
    .subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
