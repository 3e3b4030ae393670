import { hostname } from 'node:os'
import { type DestinationStream, type Logger, pino } from 'pino'
import { isOutage, Outage } from './store/outage.ts'

export type Log = Logger

/** Field names of secrets and personal data. If one reaches a log call by mistake, its value is hidden. */
const hidden = ['password', 'token', 'accessToken', 'clientSecret', 'authorization', 'cookie', 'email', 'docNumber', 'documentNumber', 'to']

/** The machine and the process of a line. */
const node = { node: hostname(), pid: process.pid }

/**
 * Opens a log of JSON lines. Each log call chooses its fields; the list above is only a second safeguard. Only one line of an outage has the stack,
 * however many calls fail.
 */
export function openLog(level: string, destination?: DestinationStream, now: () => number = () => performance.now()): Log {
  const describe = describingErrors(now)
  const options = {
    level,
    base: node,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: { paths: hidden.flatMap(name => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' },
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describe },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** An outage is over once it has caused no failure for this long. */
const outageMs = 60_000

/** Returns a function that describes errors, without the stack if the outage is known. */
function describingErrors(now: () => number) {
  const lastBy = new Map<string, number>()
  return (error: unknown) => {
    const { stack, ...rest } = describeError(error)
    if (!isOutage(error)) return { ...rest, stack }
    const dependency = error instanceof Outage ? 'other' : 'database'
    const last = lastBy.get(dependency)
    lastBy.set(dependency, now())
    return last === undefined || now() - last > outageMs ? { ...rest, stack } : rest
  }
}

/** Logs what Node would print itself: its warnings, and an error that nothing caught, which ends the process. */
export function logForNode(log: Log): void {
  process.removeAllListeners('warning')
  process.on('warning', err => {
    if (err.name !== 'ExperimentalWarning') log.warn({ err }, 'a warning of Node')
  })
  process.on('uncaughtException', err => {
    log.fatal({ err }, 'the process ends by an error that nothing has caught')
    process.exit(1)
  })
}

/** Describes an error by its type, message, code and stack. Database errors carry the row's values in `detail`, so nothing else is logged. */
function describeError(error: unknown): { type?: string; message: string; code?: string; stack?: string } {
  if (!(error instanceof Error)) return { message: 'something that is not an error was thrown' }
  const code = 'code' in error ? error.code : undefined
  return {
    type: error.name,
    message: withoutAddresses(error.message).slice(0, 500),
    ...(typeof code === 'string' ? { code } : {}),
    stack: withoutAddresses(error.stack ?? '').slice(0, 4000),
  }
}

/** Hides addresses. A mail server's error names the recipient, and a driver's error the URL with its password. */
const withoutAddresses = (text: string): string => text.replaceAll(/[^\s<>"'(]+@[^\s<>"')]+/g, '[hidden]')
