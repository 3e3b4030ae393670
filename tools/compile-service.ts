// Loading the service's code is enough: Node keeps what it compiled in NODE_COMPILE_CACHE when this ends.
await import('#server/app.ts')
