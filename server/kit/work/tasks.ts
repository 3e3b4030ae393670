/**
 * Tasks that a request hands to the process for jobs, if there is one, so that other requests do not wait for their CPU time. Features offer them in
 * both processes, which have the same parts.
 */
export type Tasks = {
  offer(task: string, work: (...args: never[]) => Promise<unknown>): void
  /**
   * Asks for a task. Resolves to its value; to undefined if it failed, or cannot be done soon. Returns undefined, not a promise, if no process for jobs
   * is up: then the caller does the task itself.
   */
  ask(task: string, ...args: unknown[]): Promise<unknown> | undefined
  /** Tells the process that serves whether the task can be done soon. */
  setBusy(task: string, isBusy: boolean): void
  /** Does an offered task in this process. */
  run(task: string, args: unknown[]): Promise<unknown>
}

type Others = { ask?: Tasks['ask'] | undefined; setBusy?: Tasks['setBusy'] | undefined }

export function openTasks(others: Others = {}): Tasks {
  const offered = new Map<string, (...args: never[]) => Promise<unknown>>()
  return {
    offer: (task, work) => void offered.set(task, work),
    ask: (task, ...args) => others.ask?.(task, ...args),
    setBusy: (task, isBusy) => others.setBusy?.(task, isBusy),
    async run(task, args) {
      const work = offered.get(task)
      if (!work) throw new Error(`no task ${task}`)
      // Safe: both processes run the same program.
      return work(...(args as never[]))
    },
  }
}
