/**
 * NFC, so that é is one letter however it was typed. No language stacks more than thirty marks on a letter (UAX 15, stream-safe text); sorting
 * thousands of them takes seconds, so such a text stays as it is.
 */
export const composed = (text: string): string => (text.match(/\p{M}+/gu)?.some(marks => marks.length > 30) ? text : text.normalize('NFC'))
