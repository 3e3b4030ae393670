import { randomBytes } from 'node:crypto'

/** The world's time and ids are handed in, so that a test or a simulation can hold them still. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

export type Ids = { next(): string }

/** UUIDv7: ids made in the application sort by the moment they were made. */
export function timeOrderedIds(clock: Clock): Ids {
  return {
    next() {
      const bytes = randomBytes(16)
      bytes.writeUIntBE(clock.now().getTime(), 0, 6)
      bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    },
  }
}
