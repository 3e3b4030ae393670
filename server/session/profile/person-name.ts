/** A name is one line and shows in the order in which it was written: no control, direction or hidden marks. */
export const personName = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/\p{Cf}/gu, '')
    .trim()
