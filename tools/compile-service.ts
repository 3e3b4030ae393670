import { loadAll } from '#server/kit/work/later.ts'

// Loads the service's code, because Node then keeps the compiled form in NODE_COMPILE_CACHE.
await import('#server/app.ts')
await loadAll()
