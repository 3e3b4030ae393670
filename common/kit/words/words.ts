import type { RefusalCode } from '#common/kit/refusals.ts'
import type { MessageId, Messages } from '../../locales/ids.d.ts'
import type { Params } from './message.ts'

/** Says a message in a language. An id that is missing, or lacks a parameter, does not compile. */
export type Words = <Id extends MessageId>(id: Id, ...params: Messages[Id] extends undefined ? [] : [Messages[Id]]) => string
/** The ids of messages without parameters. */
export type PlainMessageId = { [Id in MessageId]: Messages[Id] extends undefined ? Id : never }[MessageId]
/** The same for ids that come from data: each place says why they and their parameters fit. */
export type WordsOfData = (id: MessageId, params?: Params) => string

/** Says a rule's problem. */
export const problemIn = (words: Words, { key, params }: { key: string; params?: Params | undefined }): string =>
  // Safe: a rule names its message together with the parameters of that message.
  (words as WordsOfData)(key as MessageId, params)

/** Says a refusal. */
export const refusalIn = (words: Words, code: RefusalCode, params: Params | undefined): string =>
  // Safe: a refusal is made with the parameters of its message.
  (words as WordsOfData)(`refusal.${code}`, params)
