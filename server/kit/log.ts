import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** Field names of secrets and personal data. If one reaches a log call by mistake, its value is hidden. */
const hidden = ['password', 'token', 'accessToken', 'clientSecret', 'authorization', 'cookie', 'email', 'docNumber', 'documentNumber', 'to']

/** Opens a log of JSON lines. Each log call chooses its fields; the list above is only a second safeguard. */
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

/** Describes an error by its type, message, code and stack. Database errors carry the row's values in `detail`, so nothing else is logged. */
function describeError(error: unknown) {
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
