import { type ChildProcess, fork } from 'node:child_process'
import type { Elapsed } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { addCounts, type FromJobs, type RunningJob, type ToJobs } from './messages.ts'
import type { Tasks } from './tasks.ts'

/**
 * A second process, of lower priority, that does the jobs, so that requests do not wait for their CPU time (decision 78). It is started again whenever it
 * ends, and ends with this process.
 */
export type JobsProcess = {
  start(): void
  /** Lets the process take jobs of these subscribers at once. */
  wake(subscribers: readonly string[]): void
  ask: Tasks['ask']
  /** True if the process has said within the last 30 s that it looks for jobs. */
  isAlive(): boolean
  /** Lets running jobs finish. */
  stop(): Promise<void>
}

/** The program of the second process. Its environment has no settings, as these come by the channel. */
export type JobsProgram = { path: string; environment: Record<string, string | undefined> }

type Options = {
  program: JobsProgram
  /** Returns the settings with which the program opens its parts. */
  setting: () => unknown
  /** Frees the leases of jobs whose process has died. */
  free: (jobs: RunningJob[]) => Promise<void>
  elapsed: Elapsed
  log: Log
  metrics: Metrics
}

const aliveMs = 30_000
const wakeMs = 10
/** How many requests may wait for tasks at the same time. Another one would wait for long. */
const mostAsked = 2
const firstRestartMs = 200
const lastRestartMs = 30_000
/** A process that ran for this long did not fail at its start. */
const settledMs = 60_000

type Child = {
  process: ChildProcess
  isUp: boolean
  running: Map<string, RunningJob>
  busy: Set<string>
  startedAt: number
  cpuSeconds: number
}

export function openJobsProcess({ program, setting, free, elapsed, log, metrics }: Options): JobsProcess {
  const asked = new Map<number, (value: unknown) => void>()
  let woken: Record<string, number> = {}
  let child: Child | undefined
  let over = Promise.resolve()
  let lastLook = Number.NEGATIVE_INFINITY
  let isStopped = true
  let restart: NodeJS.Timeout | undefined
  let restartMs = firstRestartMs
  let waking: NodeJS.Timeout | undefined
  let lastId = 0

  function launch(): void {
    let forked: ChildProcess
    try {
      forked = start(program)
    } catch (err) {
      // Node throws some errors of the system, such as a lack of memory.
      log.error({ err, restartMs }, 'the process for jobs cannot be started, and is tried again')
      return launchLater()
    }
    const launched: Child = {
      process: forked,
      isUp: false,
      running: new Map(),
      busy: new Set(),
      startedAt: elapsed(),
      cpuSeconds: 0,
    }
    child = launched
    // Safe: the program sends no others (jobs-side.ts).
    forked.on('message', message => hear(launched, message as FromJobs))
    // Its end is handled below, but a message to it may fail before.
    forked.on('error', err => log.warn({ err }, 'the process for jobs cannot be reached'))
    over = endOf(forked).then(how => afterEnd(launched, how))
    send({ kind: 'begin', setting: setting() })
  }

  function send(message: ToJobs): void {
    if (child?.process.connected) child.process.send(message)
  }

  function hear(from: Child, message: FromJobs): void {
    switch (message.kind) {
      case 'up':
        from.isUp = true
        metrics.jobsProcess.set(1)
        return
      case 'beat':
        if (message.isAlive) lastLook = elapsed()
        addCounts(metrics, message.counts)
        metrics.jobsProcessMemory.set(message.memory)
        metrics.jobsProcessCpu.inc(Math.max(0, message.cpuSeconds - from.cpuSeconds))
        from.cpuSeconds = message.cpuSeconds
        return
      case 'taken':
        for (const job of message.jobs) from.running.set(job.id, job)
        return
      case 'ended':
        from.running.delete(message.id)
        return
      case 'busy':
        if (message.isBusy) from.busy.add(message.task)
        else from.busy.delete(message.task)
        return
      case 'answer':
        asked.get(message.id)?.(message.value)
        asked.delete(message.id)
    }
  }

  function afterEnd(ended: Child, how: string): void {
    child = undefined
    metrics.jobsProcess.set(0)
    metrics.jobsProcessMemory.set(0)
    for (const done of asked.values()) done(undefined)
    asked.clear()
    const jobs = [...ended.running.values()]
    if (jobs.length > 0) void free(jobs).catch((err: unknown) => log.warn({ err }, 'jobs of a process that has died wait for their leases'))
    if (isStopped) return
    metrics.jobsProcessEnded.inc()
    if (elapsed() - ended.startedAt > settledMs) restartMs = firstRestartMs
    log.error({ how, jobs: jobs.length, restartMs }, 'the process for jobs has ended, and is started again')
    launchLater()
  }

  function launchLater(): void {
    restart = setTimeout(launch, restartMs)
    restartMs = Math.min(lastRestartMs, restartMs * 2)
  }

  return {
    start() {
      if (!isStopped) return
      isStopped = false
      lastLook = elapsed()
      launch()
    },
    wake(subscribers) {
      for (const each of subscribers) woken[each] = (woken[each] ?? 0) + 1
      waking ??= setTimeout(() => {
        waking = undefined
        send({ kind: 'wake', published: woken })
        woken = {}
      }, wakeMs)
    },
    ask(task, ...args) {
      if (isStopped || !child?.isUp) return undefined
      if (asked.size >= mostAsked || child.busy.has(task)) return Promise.resolve(undefined)
      const id = (lastId += 1)
      return new Promise(resolve => {
        asked.set(id, resolve)
        send({ kind: 'ask', id, task, args })
      })
    },
    isAlive: () => !isStopped && elapsed() - lastLook < aliveMs,
    async stop() {
      isStopped = true
      clearTimeout(restart)
      clearTimeout(waking)
      send({ kind: 'stop' })
      // Until the process is up, it has no jobs and obeys signals.
      if (child && !child.isUp) child.process.kill('SIGTERM')
      await over
    },
  }
}

const start = ({ path, environment }: JobsProgram): ChildProcess =>
  fork(path, {
    env: environment,
    execArgv: process.execArgv.filter(arg => !arg.startsWith('--inspect')),
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

/** Resolves once a process has ended and all its messages were heard. */
async function endOf(child: ChildProcess): Promise<string> {
  const heard = new Promise(resolve => child.once('disconnect', resolve))
  const how = await new Promise<string>(resolve => {
    child.once('exit', (status, signal) => resolve(String(signal ?? status)))
    child.once('error', error => child.pid === undefined && resolve(error.message))
  })
  if (child.pid !== undefined && child.connected) await heard
  return how
}
