/** Chance that is the same again for the same seed. */
export type Dice = {
  /** A whole number from 0 up to, not including, `sides`. */
  roll(sides: number): number
  /** One of several; the first ones come more often, as names do among people. */
  pick<T>(of: readonly T[]): T
  /** An id made of that moment and of chance. */
  id(moment: number): string
}

/** Mulberry32: small, quick, and even enough for people who do not exist. */
export function openDice(seed: number): Dice {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const fraction = () => next() / 4_294_967_296
  const hex = (digits: number) => next().toString(16).padStart(8, '0').slice(0, digits)
  return {
    roll: sides => Math.floor(fraction() * sides),
    pick: of => of[Math.floor(fraction() ** 2 * of.length)] as (typeof of)[number],
    id(moment) {
      const time = moment.toString(16).padStart(12, '0')
      return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${'89ab'[next() & 3]}${hex(3)}-${hex(8)}${hex(4)}`
    },
  }
}
