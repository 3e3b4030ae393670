/** Jobs that wait. The owner who was served longest ago comes next, so that no owner's many jobs hold up another's one. */
export type Turns<Job> = { readonly size: number; add(job: Job): void; take(): Job | undefined; takeAll(): Job[] }

export function openTurns<Job extends { owner: string }>(): Turns<Job> {
  const waiting = new Map<string, Job[]>()
  return {
    get size() {
      return [...waiting.values()].reduce((sum, jobs) => sum + jobs.length, 0)
    },
    add(job) {
      const jobs = waiting.get(job.owner)
      if (jobs) jobs.push(job)
      else waiting.set(job.owner, [job])
    },
    take() {
      const [next] = waiting
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
