import { createHmac, timingSafeEqual } from 'node:crypto'

/** RFC 6238 with what every telephone's app knows: SHA-1, six digits, thirty seconds. */
const periodSeconds = 30
const digits = 6
/** A telephone's clock may be off by one step in either direction. */
const drift = 1

export const stepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / periodSeconds)

export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const place = (mac.at(-1) ?? 0) & 0x0f
  return String((mac.readUInt32BE(place) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

/** The step whose code this is, later than the last one that was taken; undefined where it is none. */
export function stepOf(secret: Buffer, code: string, now: Date, lastStep: number): number | undefined {
  const present = stepAt(now)
  const given = Buffer.from(code)
  const steps = Array.from({ length: 2 * drift + 1 }, (_, place) => present - drift + place)
  const matching = steps.filter(step => {
    const wanted = Buffer.from(codeAt(secret, step))
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  })
  return matching.find(step => step > lastStep)
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, without the padding that no app wants. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map(five => letters[Number.parseInt(five.padEnd(5, '0'), 2)] ?? '').join('')
}

/** What the app reads from the picture: whose code it is, and the secret. The rest is what every app takes for granted. */
export function otpauthUri(secret: Buffer, email: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}
