/** A dependency that cannot be reached at this moment. Its response is 503, and jobs retry it. */
export class Outage extends Error {}

/** Error codes of a database that cannot be reached or has no free connection. */
const outages = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
  '08001',
  '57014',
  '55P03',
  // Temporary states: a deadlock, a serialisation failure, a full disk or memory, a primary that has become a standby.
  '40P01',
  '40001',
  '53100',
  '53200',
  '58030',
  '25006',
  '25P03',
  // Errors of the file store's folder if its disk is full or broken.
  'ENOSPC',
  'EDQUOT',
  'EIO',
])

/** True for a dependency that is down: the database, the file store or another one that said so. */
export function isOutage(error: unknown): boolean {
  if (error instanceof Outage) return true
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'string' && code !== unspecified) return outages.has(code)
  return /timeout exceeded when trying to connect|[Cc]onnection terminated|connection error and is not queryable|server closed the connection|could not commit transaction for shard/.test(
    error.message,
  )
}

/** The code with which a cluster's first machine also reports that another one died during a statement or a commit. */
const unspecified = 'XX000'
