declare module 'virtual:messages' {
  import type { Message } from '#common/kit/words/message.ts'
  export const catalogueOf: (locale: string, room: string) => Promise<{ messages: Record<string, Message> }>
}
