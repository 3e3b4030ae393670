import type { RefusalCode } from '#common/kit/refusals.ts'
import type { MessageId, Messages } from '../../locales/ids.d.ts'

/** The messages of every page are one file for several features, loaded with the page's own. */
export const commonWords = 'common'
export const commonFeatures = ['ui', 'session', 'shell']
/** Separates the features in the name of a file that has messages of several: those that a page shows first (portal/page-chunks.ts). */
export const wordsSeparator = '+'

/** Returns a message's text in a language. A missing id or parameter does not compile. */
export type Words = <Id extends MessageId>(id: Id, ...params: Messages[Id] extends undefined ? [] : [Messages[Id]]) => string
/** The ids of messages without parameters. */
export type PlainMessageId = { [Id in MessageId]: Messages[Id] extends undefined ? Id : never }[MessageId]
/** The same for ids that come from data. Each use says why the ids and parameters fit. */
export type WordsOfData = (id: MessageId, params?: Params) => string

/** Returns the text of a rule's problem. */
export const problemIn = (words: Words, { key, params }: { key: string; params?: Params | undefined }): string =>
  // Safe: a rule names its message together with that message's parameters.
  (words as WordsOfData)(key as MessageId, params)

/** Returns the text of a refusal. */
export const refusalIn = (words: Words, code: RefusalCode, params: Params | undefined): string =>
  // Safe: a refusal is made with its message's parameters.
  (words as WordsOfData)(`refusal.${code}`, params)

/** A message compiled from ICU MessageFormat: its text, or its parts. */
export type Message = string | readonly Part[]
type Part = string | readonly [name: string, type?: string, forms?: Forms | string]
type Forms = Record<string, Message | number>
export type Params = Record<string, string | number>

/** Formats a message in a language (a BCP 47 tag): names, numbers, plurals and selects, even nested. */
export function say(message: Message, tag: string, params: Params = {}, counted = '#'): string {
  if (typeof message === 'string') return message
  return message.map(part => (part === '#' ? counted : typeof part === 'string' ? part : formatPart(part, tag, params, counted))).join('')
}

function formatPart([name, type, forms]: Exclude<Part, string>, tag: string, params: Params, counted: string): string {
  const value = Object.hasOwn(params, name) ? params[name] : undefined
  if (value === undefined) return ''
  if (type === 'number') return numbersIn(tag).format(Number(value))
  if (typeof forms !== 'object') return String(value)
  // Safe: the only number is a plural's `offset`, which is never selected.
  const pick = (key: string) => (Object.hasOwn(forms, key) ? (forms[key] as Message) : undefined)
  if (type === 'select') return say(pick(String(value)) ?? pick('other') ?? '', tag, params, counted)
  const exact = pick(`=${value}`) ?? pick(String(value))
  return say(exact ?? pick(pluralsIn(tag).select(Number(value))) ?? pick('other') ?? '', tag, params, numbersIn(tag).format(Number(value)))
}

/** Cached per language, as creating them is slow. */
const numbersIn = kept(tag => new Intl.NumberFormat(tag, { useGrouping: 'always' }))
const pluralsIn = kept(tag => new Intl.PluralRules(tag))

function kept<Format>(make: (tag: string) => Format): (tag: string) => Format {
  const known = new Map<string, Format>()
  return tag => {
    const format = known.get(tag) ?? make(tag)
    known.set(tag, format)
    return format
  }
}
