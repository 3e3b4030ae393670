import type { RefusalCode } from '#common/kit/refusals.ts'
import type { MessageId, Messages } from '../../locales/ids.d.ts'
import type { Params } from './message.ts'

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
