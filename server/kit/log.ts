import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** Names under which secrets and personal data travel: should one reach a log call all the same, its value stays out. */
const hidden = ['password', 'token', 'accessToken', 'clientSecret', 'authorization', 'cookie', 'email', 'docNumber', 'documentNumber', 'to']

/** JSON lines. What is logged is chosen field by field; the list above is the second net, not the first. */
export function openLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: { paths: hidden.flatMap(name => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' },
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** The kind of error and where it arose. Database errors carry the row's values in `detail`, so only known-safe members pass. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: 'something that is not an error was thrown' }
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    message: withoutAddresses(error.message).slice(0, 500),
    ...(typeof code === 'string' ? { code } : {}),
    stack: withoutAddresses(error.stack ?? '').slice(0, 4000),
  }
}

/** A mail server names the reader whom it refuses, a driver the URL with the password in it. */
const withoutAddresses = (text: string): string => text.replaceAll(/[^\s<>"'(]+@[^\s<>"')]+/g, '[hidden]')
