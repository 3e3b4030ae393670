import type { Elapsed } from '#server/kit/clock.ts'
import type { Database, RunAlone } from '#server/kit/database.ts'

type Deps = { database: Pick<Database, 'onConnection'>; elapsed: Elapsed }
type Waiting<Input, Output> = { turn: number; input: Input; resolve: (output: Output) => void; reject: (error: unknown) => void }

/**
 * Batches the inputs that wait for a connection into one statement. A single input does not wait for others; many share one round trip. `work` returns
 * its outputs in the order of its inputs, and gets no input that came after it began. If a statement hangs, because its connection is dead or a lock
 * is held, an input waits behind it for at most `patienceMs`, and then uses another connection.
 */
export function together<Input, Output>(
  { database: { onConnection }, elapsed }: Deps,
  most: number,
  work: (alone: RunAlone, all: Input[]) => Promise<Output[]>,
  patienceMs = 250,
): (input: Input) => Promise<Output> {
  const waiting: Waiting<Input, Output>[] = []
  let busy = 0
  let startedAt = 0
  let turns = 0

  async function runAll(): Promise<void> {
    busy += 1
    while (waiting.length > 0) {
      startedAt = elapsed()
      const last = turns
      try {
        await onConnection(async alone => {
          const some = waiting.splice(0, most)
          // Another connection may have taken them meanwhile.
          if (some.length > 0) await runSome(alone, some)
        })
      } catch (error) {
        // Inputs that came while this connection was awaited get an attempt of their own.
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
      // Safe: `work` returns one output for each input.
      some.forEach(({ resolve }, index) => resolve(all[index] as Output))
    } catch (error) {
      // One input with invalid data must not fail the others.
      if (some.length > 1 && isDataError(error)) for (const one of some) await runSome(alone, [one])
      else for (const { reject } of some) reject(error)
    }
  }

  return input => {
    const output = new Promise<Output>((resolve, reject) => waiting.push({ turn: ++turns, input, resolve, reject }))
    if (busy === 0 || elapsed() - startedAt >= patienceMs) void runAll()
    return output
  }
}

/** True for PostgreSQL's error classes "data exception" and "integrity constraint violation". */
export const isDataError = (error: unknown): boolean => /^2[23]/.test(String((error as { code?: unknown }).code))
