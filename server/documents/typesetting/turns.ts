/** Jobs that wait. The owner who was served longest ago comes next, so that no owner's many jobs hold up another's one. */
export type Turns<Job extends { owner: string }> = {
  readonly size: number
  sizeOf(owner: Job['owner']): number
  add(job: Job): void
  /** Takes the next job of an owner who is not busy. */
  take(busy?: ReadonlySet<Job['owner']>): Job | undefined
  takeAll(): Job[]
}

export function openTurns<Job extends { owner: string }>(): Turns<Job> {
  const waiting = new Map<Job['owner'], Job[]>()
  return {
    get size() {
      return [...waiting.values()].reduce((sum, jobs) => sum + jobs.length, 0)
    },
    sizeOf: owner => waiting.get(owner)?.length ?? 0,
    add(job) {
      const jobs = waiting.get(job.owner)
      if (jobs) jobs.push(job)
      else waiting.set(job.owner, [job])
    },
    take(busy) {
      const next = [...waiting].find(([owner]) => !busy?.has(owner))
      if (!next) return undefined
      const [owner, jobs] = next
      const job = jobs.shift()
      waiting.delete(owner)
      if (jobs.length > 0) waiting.set(owner, jobs)
      return job
    },
    takeAll() {
      const all = [...waiting.values()].flat()
      waiting.clear()
      return all
    },
  }
}
