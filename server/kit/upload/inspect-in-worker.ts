import { type TaskOf, TooHeavy, type Workers } from '#server/kit/workers/workers.ts'
import type { Judged, judgeWhole } from './inspect-file.ts'
import type { FileProblem } from './markers.ts'

const task: TaskOf<typeof judgeWhole> = { module: new URL('inspect-file.ts', import.meta.url).href, name: 'judgeWhole' }

/** Judges a file in a thread of its own. The bytes are the thread's from then on; those to keep come back. */
export async function judgeApart(
  workers: Workers,
  owner: string,
  name: string,
  bytes: Buffer,
): Promise<(Judged & { digest: string }) | FileProblem> {
  try {
    return await workers.run(owner, task, name, bytes)
  } catch (error) {
    if (error instanceof TooHeavy) return 'heavy'
    throw error
  }
}
