/** Random values that repeat for the same seed. Not for secrets. */
export type Random = {
  /** Returns a number of at least 0 and less than 1. */
  fraction(): number
  /** Returns an integer of at least 0 and less than `limit`. */
  below(limit: number): number
  /** Returns one of the choices, all equally likely. */
  oneOf<T>(choices: readonly [T, ...T[]]): T
  /** Returns one of the choices. The first are more likely, as with people's names. */
  oneOfCommon<T>(choices: readonly T[]): T
  /** Returns the choices in random order. */
  shuffled<T>(choices: readonly T[]): T[]
  /** Returns a UUID of version 7 for a time in ms. */
  id(moment: number): string
}

/** Opens a generator (mulberry32): small, fast, and uniform enough for tests and invented people. */
export function openRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const fraction = () => next() / 4_294_967_296
  const below = (limit: number) => Math.floor(fraction() * limit)
  const hex = (digits: number) => next().toString(16).padStart(8, '0').slice(0, digits)
  return {
    fraction,
    below,
    oneOf: choices => choices[below(choices.length)] ?? choices[0],
    // Safe: the callers' lists are not empty, and the index is below the length.
    oneOfCommon: choices => choices[Math.floor(fraction() ** 2 * choices.length)] as (typeof choices)[number],
    shuffled: choices =>
      choices
        .map(choice => ({ choice, rank: fraction() }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ choice }) => choice),
    id(moment) {
      const time = moment.toString(16).padStart(12, '0')
      return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${'89ab'[next() & 3]}${hex(3)}-${hex(8)}${hex(4)}`
    },
  }
}
