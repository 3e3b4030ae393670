declare module 'virtual:messages' {
  import type { Messages as Compiled } from '@lingui/core'
  export const catalogues: Record<string, () => Promise<{ messages: Compiled }>>
}
