import type { TakenJob } from './jobs.ts'
import type { Count } from './counts.ts'
import type { Tasks } from './tasks.ts'

// The messages between the process that serves and its process for jobs (jobs-process.ts, jobs-side.ts).

/** A job that the process for jobs is running, with the fields to free its lease if that process dies. */
export type RunningJob = Pick<TakenJob, 'businessUnitId' | 'id' | 'attempts'>

export type ToJobs =
  /** The first message. `setting` is passed to the program, which opens its parts with it. */
  | { kind: 'begin'; setting: unknown }
  /** How many jobs were published for each subscriber. */
  | { kind: 'wake'; published: Record<string, number> }
  | { kind: 'ask'; id: number; task: string; args: unknown[] }
  | { kind: 'stop' }

export type FromJobs =
  /** All is open, and jobs are taken from now on. */
  | { kind: 'up' }
  /** Sent each second. `isAlive`: the outbox has looked for jobs. */
  | { kind: 'beat'; isAlive: boolean; counts: Count[]; memory: number; cpuSeconds: number }
  | { kind: 'taken'; jobs: RunningJob[] }
  | { kind: 'ended'; id: string }
  | { kind: 'busy'; task: string; isBusy: boolean }
  /** `value` is absent if the task failed. */
  | { kind: 'answer'; id: number; value?: unknown }

/** Reports of a process for jobs on its work. */
export type Reports = {
  taken(jobs: readonly RunningJob[]): void
  ended(id: string): void
  setBusy: Tasks['setBusy']
}
