import { type TaskOf, TooHeavy, type Workers } from '#server/kit/workers/workers.ts'
import type { Inspected, inspectWithDigest } from './inspect-file.ts'
import type { FileProblem } from './markers.ts'

const task: TaskOf<typeof inspectWithDigest> = { module: new URL('inspect-file.ts', import.meta.url).href, name: 'inspectWithDigest' }

/** Inspects a file in another thread. The bytes move to that thread; those to store come back. */
export async function inspectInWorker(
  workers: Workers,
  owner: string,
  name: string,
  bytes: Buffer,
): Promise<(Inspected & { digest: string }) | FileProblem> {
  try {
    return await workers.run(owner, task, name, bytes)
  } catch (error) {
    if (error instanceof TooHeavy) return 'heavy'
    throw error
  }
}
