import type { Database, RunAlone } from '#server/kit/database.ts'

type Waiting<Input, Output> = { turn: number; input: Input; resolve: (output: Output) => void; reject: (error: unknown) => void }

/**
 * Gathers inputs into one statement while they wait for a connection: a single one waits for nothing, and many share one round trip. `work`
 * answers in the order of its inputs, and gets no input that came after it had begun. Behind a statement that does not come back, because its
 * connection is dead or a lock is held, an input waits for at most `patienceMs`: then it goes by another connection.
 */
export function together<Input, Output>(
  { onConnection }: Pick<Database, 'onConnection'>,
  most: number,
  work: (alone: RunAlone, all: Input[]) => Promise<Output[]>,
  patienceMs = 250,
): (input: Input) => Promise<Output> {
  const waiting: Waiting<Input, Output>[] = []
  let busy = 0
  let begun = 0
  let turns = 0

  async function runAll(): Promise<void> {
    busy += 1
    while (waiting.length > 0) {
      begun = performance.now()
      const last = turns
      try {
        await onConnection(async alone => {
          const some = waiting.splice(0, most)
          // Another connection may have taken them meanwhile.
          if (some.length > 0) await runSome(alone, some)
        })
      } catch (error) {
        // Those that came during this wait for a connection have a wait of their own.
        const [late, early] = [waiting.filter(({ turn }) => turn > last), waiting.filter(({ turn }) => turn <= last)]
        waiting.splice(0, waiting.length, ...late)
        for (const { reject } of early) reject(error)
      }
    }
    busy -= 1
  }

  async function runSome(alone: RunAlone, some: Waiting<Input, Output>[]): Promise<void> {
    try {
      const all = await work(
        alone,
        some.map(({ input }) => input),
      )
      some.forEach(({ resolve }, index) => resolve(all[index] as Output))
    } catch (error) {
      // Data of one that cannot be stored must not fail the others.
      if (some.length > 1 && isOfTheData(error)) for (const one of some) await runSome(alone, [one])
      else for (const { reject } of some) reject(error)
    }
  }

  return input => {
    const output = new Promise<Output>((resolve, reject) => waiting.push({ turn: ++turns, input, resolve, reject }))
    if (busy === 0 || performance.now() - begun >= patienceMs) void runAll()
    return output
  }
}

/** PostgreSQL's classes "data exception" and "integrity constraint violation". */
const isOfTheData = (error: unknown): boolean => /^2[23]/.test(String((error as { code?: unknown }).code))
