import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Side } from '#common/tickets/states.ts'
import type { Config } from '#server/config.ts'

type Inbound = Pick<Config, 'INBOUND_MAIL_ADDRESS' | 'INBOUND_MAIL_SECRET'>

/** Whose answer it is, and to what: all that an address tells. */
export type Addressed = { unit: string; reference: string; side: Side }

/**
 * An address for each ticket and side, signed: whoever has it was sent it. In lower case, as some systems write every address, and within the 64
 * characters that may stand before the @.
 */
export function ticketAddress(config: Inbound, { unit, reference, side }: Addressed): string {
  const [local, host] = (config.INBOUND_MAIL_ADDRESS ?? '').split('@')
  const told = `${unit}.${reference}.${side.charAt(0)}`.toLowerCase()
  return `${local}+${told}.${signOf(config, told)}@${host}`
}

/** The one among these that we made ourselves. */
export function readTicketAddress(config: Inbound, addresses: readonly string[]): Addressed | undefined {
  for (const address of addresses) {
    const [, told = '', unit = '', reference = '', side, sign = ''] =
      /\+(([a-z][a-z0-9-]{1,30})\.([a-z]\d{6,12}-[a-z])\.([as]))\.([a-z\d]{10})@/.exec(address.toLowerCase()) ?? []
    if (!told || !isSame(sign, signOf(config, told))) continue
    return { unit, reference: reference.toUpperCase(), side: side === 's' ? 'support' : 'agency' }
  }
  return undefined
}

/** Fifty bits: nobody finds them over a line. */
function signOf({ INBOUND_MAIL_SECRET = '' }: Inbound, told: string): string {
  const bytes = createHmac('sha256', INBOUND_MAIL_SECRET).update(`ticket ${told}`).digest()
  return bytes.readBigUInt64BE().toString(36).padStart(13, '0').slice(-10)
}

const isSame = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
