import { createHash } from 'node:crypto'

/**
 * True for one plain mailbox. A careless mailer would deliver `a@x.test\r\nBcc: e@e.test` to e@e.test alone; lists, groups and display names are
 * refused, too.
 */
export const isOneAddress = (text: string): boolean =>
  text.length <= 254 &&
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/.test(
    text,
  )

/** Returns the hash that stands for an address where the address itself is not needed. */
export const hashOfAddress = (address: string): Buffer => createHash('sha256').update(address.trim().toLowerCase()).digest()

/** Returns the address of `MAIL_FROM`, with or without a name before it. Readers see the unit's brand as the name. */
export function addressOf(sender: string): string | undefined {
  const address = /^[^<>\p{Cc}]*<([^<>]*)>$/u.exec(sender)?.[1] ?? sender
  return isOneAddress(address) ? address : undefined
}

/** Turns a name or a subject into one line. Control, direction and hidden characters go, so that it shows as it was written. */
export const oneLine = (text: string, most = 200): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim()
    .slice(0, most)
    // The cut may have split a surrogate pair.
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
