import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Side } from '#common/tickets/states.ts'
import type { Config } from '#server/config.ts'

type InboundConfig = Pick<Config, 'INBOUND_MAIL_ADDRESS' | 'INBOUND_MAIL_SECRET'>

/** The contents of a reply address: the ticket, and the side that replies. */
export type ReplyAddress = { unit: string; reference: string; side: Side }

/**
 * Returns the signed reply address for a ticket and side, which only its recipients know.
 * It is in lower case, as some systems write every address, and within the 64 characters allowed before the @.
 */
export function ticketAddress(config: InboundConfig, { unit, reference, side }: ReplyAddress): string {
  const [local, host] = (config.INBOUND_MAIL_ADDRESS ?? '').split('@')
  const content = `${unit}.${reference}.${side.charAt(0)}`.toLowerCase()
  return `${local}+${content}.${signatureOf(config, content)}@${host}`
}

/** Returns the contents of the first address that this service signed, if any. */
export function readTicketAddress(config: InboundConfig, addresses: readonly string[]): ReplyAddress | undefined {
  for (const address of addresses) {
    const [, content = '', unit = '', reference = '', side, signature = ''] =
      /\+(([a-z][a-z0-9-]{1,30})\.([a-z]\d{6,12}-[a-z])\.([as]))\.([a-z\d]{10})@/.exec(address.toLowerCase()) ?? []
    if (!content || !isSame(signature, signatureOf(config, content))) continue
    return { unit, reference: reference.toUpperCase(), side: side === 's' ? 'support' : 'agency' }
  }
  return undefined
}

/** Returns a signature of fifty bits, too many to guess over the network. */
function signatureOf({ INBOUND_MAIL_SECRET = '' }: InboundConfig, content: string): string {
  const bytes = createHmac('sha256', INBOUND_MAIL_SECRET).update(`ticket ${content}`).digest()
  return bytes.readBigUInt64BE().toString(36).padStart(13, '0').slice(-10)
}

const isSame = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
