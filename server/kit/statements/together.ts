import type pg from 'pg'

type Waiting<Asked, Told> = { turn: number; asked: Asked; tell: (told: Told) => void; fail: (error: unknown) => void }

/**
 * One statement for all that was asked until there was a connection for it: who comes alone waits for nothing, and many share one round
 * trip. `work` answers in the order of what it is given, and is never asked about anything that came after it had begun. Behind a statement that
 * does not come back, because its line is dead or somebody holds a lock, nobody waits for longer than `patienceMs`: another goes by another line.
 */
export function together<Asked, Told>(
  pool: pg.Pool,
  most: number,
  work: (client: pg.PoolClient, all: Asked[]) => Promise<Told[]>,
  patienceMs = 250,
): (asked: Asked) => Promise<Told> {
  const waiting: Waiting<Asked, Told>[] = []
  let busy = 0
  let begun = 0
  let turns = 0

  async function askAll(): Promise<void> {
    busy += 1
    while (waiting.length > 0) {
      begun = performance.now()
      const last = turns
      try {
        const client = await pool.connect()
        const some = waiting.splice(0, most)
        // Another line may have taken them meanwhile.
        if (some.length > 0) await askSome(client, some)
        client.release()
      } catch (error) {
        // Who came while this line was being waited for has a wait of his own.
        const [late, early] = [waiting.filter(({ turn }) => turn > last), waiting.filter(({ turn }) => turn <= last)]
        waiting.splice(0, waiting.length, ...late)
        for (const { fail } of early) fail(error)
      }
    }
    busy -= 1
  }

  async function askSome(client: pg.PoolClient, some: Waiting<Asked, Told>[]): Promise<void> {
    try {
      const all = await work(
        client,
        some.map(({ asked }) => asked),
      )
      some.forEach(({ tell }, place) => tell(all[place] as Told))
    } catch (error) {
      // What cannot be stored of one must not be the fault of all.
      if (some.length > 1 && isOfTheData(error)) for (const one of some) await askSome(client, [one])
      else for (const { fail } of some) fail(error)
    }
  }

  return asked => {
    const told = new Promise<Told>((tell, fail) => waiting.push({ turn: ++turns, asked, tell, fail }))
    if (busy === 0 || performance.now() - begun >= patienceMs) void askAll()
    return told
  }
}

/** PostgreSQL's classes "data exception" and "integrity constraint violation". */
const isOfTheData = (error: unknown): boolean => /^2[23]/.test(String((error as { code?: unknown }).code))
