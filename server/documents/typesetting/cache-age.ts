import { saleKinds } from '#common/documents/kinds.ts'
import { locales } from '#common/kit/locales.ts'

/** How many rounds of all languages the cache lasts. With three, one in twenty documents finds its parts gone; with one, one in three. */
const rounds = 3

/** Documents after which an unused entry of the typesetter's cache is dropped. Entries that all documents share stay. */
export const cacheAge = rounds * locales.length * saleKinds.length
