import { randomUUID } from 'node:crypto'

/** The world's time and ids are handed in, so that a test or a simulation can hold them still. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

export type Ids = { next(): string }

/** UUIDv7: ids made in the application sort by the moment they were made. Their 74 random bits are those of an id that the system made at random. */
export function timeOrderedIds(clock: Clock): Ids {
  return {
    next() {
      const time = clock.now().getTime().toString(16).padStart(12, '0')
      return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
    },
  }
}
