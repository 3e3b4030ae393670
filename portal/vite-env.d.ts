declare module 'virtual:messages' {
  import type { Messages as Compiled } from '@lingui/core'
  export const catalogueOf: (locale: string, room: string) => Promise<{ messages: Compiled }>
}
