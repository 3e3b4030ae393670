/**
 * One plain mailbox, or nothing: `a@x.test\r\nBcc: e@e.test` is delivered to e@e.test alone by a careless mailer, and lists, groups and
 * display names are no addresses either.
 */
export const isOneAddress = (text: string): boolean =>
  text.length <= 254 &&
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/.test(text)

/** A name or a subject is one line, and shows in the order in which it was written: no control or direction marks. */
export const oneLine = (text: string, most = 200): string =>
  text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .trim()
    .slice(0, most)
