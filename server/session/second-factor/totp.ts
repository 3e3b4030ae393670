import { createHmac, timingSafeEqual } from 'node:crypto'

/** The settings of RFC 6238 that every authenticator app supports: SHA-1, six digits, thirty seconds. */
const periodSeconds = 30
const digits = 6
/** A phone's clock may be off by one step in either direction. */
const drift = 1

export const stepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / periodSeconds)

export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0x0f
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

/** Returns the step that the code belongs to, if later than the last used one, else undefined. */
export function stepOf(secret: Buffer, code: string, now: Date, lastStep: number): number | undefined {
  const present = stepAt(now)
  const typed = Buffer.from(code)
  const steps = Array.from({ length: 2 * drift + 1 }, (_, index) => present - drift + index)
  const matching = steps.filter(step => {
    const wanted = Buffer.from(codeAt(secret, step))
    return typed.length === wanted.length && timingSafeEqual(typed, wanted)
  })
  return matching.find(step => step > lastStep)
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes as base32 (RFC 4648), without padding, which authenticator apps do not expect. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map(five => letters[Number.parseInt(five.padEnd(5, '0'), 2)] ?? '').join('')
}

/** Returns the URI in the app's QR code: account, issuer and secret. The omitted settings are every app's defaults. */
export function otpauthUri(secret: Buffer, email: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}
