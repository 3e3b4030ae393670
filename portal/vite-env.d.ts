declare module 'virtual:messages' {
  import type { Message } from '#common/kit/words/words.ts'
  /** The few messages in each language for when no catalogue can be loaded. */
  export const fallbackMessages: Partial<Record<string, Record<string, Message>>>
  export const catalogueOf: (locale: string, feature: string) => Promise<{ messages: Record<string, Message> }>
}
