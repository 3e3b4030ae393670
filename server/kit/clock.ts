import { randomUUID } from 'node:crypto'

/** The source of the current time, so that a test or a simulation can control it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** Milliseconds from an arbitrary moment. It measures how long something takes or is kept, whatever happens to the clock. */
export type Elapsed = () => number

export const systemElapsed: Elapsed = () => performance.now()

export type Ids = { next(): string }

/** Creates UUIDv7 ids, which sort by their moment of creation. Their 74 random bits come from a random UUID of the system. */
export function timeOrderedIds(clock: Clock): Ids {
  return {
    next() {
      const time = clock.now().getTime().toString(16).padStart(12, '0')
      return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
    },
  }
}
