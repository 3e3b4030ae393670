import { noteFound } from './known-modules.mjs'

// Loads the service's code, so that Node stores its compiled form in NODE_COMPILE_CACHE. The location of each file is also stored.
const write = noteFound()
await import('#server/app.ts')
await import('#server/kit/engine/engine.ts')
await import('#server/kit/work/later.ts').then(({ loadAll }) => loadAll())
write()
