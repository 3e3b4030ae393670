import { noteFound } from './known-modules.mjs'

// Loads the service's code, because Node then keeps the compiled form in NODE_COMPILE_CACHE. Where it found each file is kept, too.
const write = noteFound()
await import('#server/app.ts')
await import('#server/kit/engine/engine.ts')
await import('#server/kit/work/later.ts').then(({ loadAll }) => loadAll())
write()
