import type { Config } from './config.ts'
import { OperatorError } from './config/operator-error.ts'

/** Returns one clear line for an error that an operator can correct, else the whole error. */
export function explain(error: unknown, { PORT, HOST, DATA_DIR }: Config): string {
  // Safe: only errors are thrown here; a field that one lacks is undefined.
  const { code, errno, syscall, message } = error as NodeJS.ErrnoException
  if (error instanceof OperatorError) return message
  if (code === 'EADDRINUSE') return `Port ${PORT} is taken by another program. Stop it, or choose another with PORT=…`
  if (code === 'EACCES' || code === 'EROFS')
    return `No permission for port ${PORT} or the folder ${DATA_DIR}. Choose others with PORT=… and DATA_DIR=…`
  // The embedded database reports a full disk by the error number of its own system.
  if (code === 'ENOSPC' || errno === 51)
    return `The disk that holds ${DATA_DIR} is full. Make room, or choose another folder with DATA_DIR=…`
  if (code === 'EADDRNOTAVAIL' || (syscall === 'getaddrinfo' && message.includes(HOST)))
    return `${HOST} is no address of this machine. Choose another with HOST=…`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
    return `No database answers at DATABASE_URL (${code}). Is it running, and is the address right?`
  if (isOfTls(code, message))
    return `The connection to DATABASE_URL is not safe: ${message}. Is sslrootcert the authority that signed the server's certificate, and the host its name?`
  if (code === '42501')
    return `The database's user lacks a right: ${message}. It must own the database and its schema (docs/operations.md, The database's user and roles).`
  if (code === '28P01' || code === '28000' || code === '3D000') return `The database at DATABASE_URL refuses: ${message}`
  return error instanceof Error ? (error.stack ?? message) : String(error)
}

/** True if the server's certificate does not satisfy sslmode=verify-full, or the server offers no TLS. */
function isOfTls(code: string | undefined, message: string): boolean {
  return /^(?:ERR_TLS_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/.test(code ?? '') || message.includes('does not support SSL')
}
