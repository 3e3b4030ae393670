declare module 'virtual:messages' {
  import type { Message } from '#common/kit/words/message.ts'
  /** What is left to say in each language where no catalogue can be had. */
  export const lastWords: Partial<Record<string, Record<string, Message>>>
  export const catalogueOf: (locale: string, room: string) => Promise<{ messages: Record<string, Message> }>
}
