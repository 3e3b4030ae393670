import { openRandom, type Random } from '#common/kit/random.ts'

/** A fault that is injected on purpose, and the invariant that must still hold. */
export type FaultTest = {
  id: string
  title: string
  invariant: string
  /** The requirement on the machine. */
  needs?: Need
  /** `seed` is the first seed of the random numbers. */
  run(rounds: Rounds, seed: number): Promise<Result>
}

/** Every need implies PostgreSQL. */
export type Need = 'PostgreSQL' | 'root' | 'Prometheus' | 'Citus'

/** Scales a fault test's number of rounds; a full run returns it unchanged. */
type Rounds = (full: number) => number

export type Result = { counts: Record<string, number | string>; problems: string[] }

let drawn: Random

/** Restarts the random values, so that a fault test draws the same whatever ran before it. */
export function drawFrom(seed: number): void {
  drawn = openRandom(seed)
}

export const random = (least: number, most: number): number => least + drawn.fraction() * (most - least)

export const shuffled = <T>(choices: T[]): T[] => drawn.shuffled(choices)
