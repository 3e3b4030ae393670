/** What is broken on purpose, what must stay true all the same, and what was counted. */
export type FaultTest = {
  id: string
  title: string
  invariant: string
  /** What the machine must have for it. */
  needs?: Need
  /** `seed` is where a fault test starts its random numbers. */
  run(rounds: Rounds, seed: number): Promise<Result>
}

/** Prometheus is needed beside PostgreSQL. */
export type Need = 'PostgreSQL' | 'root' | 'Prometheus'

/** As many as asked for, of those that the fault test does by itself; all of them in a full run. */
export type Rounds = (usual: number) => number

export type Result = { counts: Record<string, number | string>; faults: string[] }

export const random = (least: number, most: number): number => least + Math.random() * (most - least)
