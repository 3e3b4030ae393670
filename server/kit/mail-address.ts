/**
 * One plain mailbox, or nothing: `a@x.test\r\nBcc: e@e.test` is delivered to e@e.test alone by a careless mailer, and lists, groups and
 * display names are no addresses either.
 */
export const isOneAddress = (text: string): boolean =>
  text.length <= 254 &&
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/.test(
    text,
  )

/** The address of `MAIL_FROM`, with a name before it or without; the name that readers see is the unit's brand. */
export function addressOf(sender: string): string | undefined {
  const address = /^[^<>\p{Cc}]*<([^<>]*)>$/u.exec(sender)?.[1] ?? sender
  return isOneAddress(address) ? address : undefined
}

/** A name or a subject is one line, whole, and shows in the order in which it was written: no control, direction or hidden marks. */
export const oneLine = (text: string, most = 200): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim()
    .slice(0, most)
    // A letter of two halves is not cut in the middle.
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
