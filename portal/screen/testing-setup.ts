// The router and the queries check only once, when they are loaded, if there is a window. All test files of a process share them, so each gets a
// window here.
if (!('window' in globalThis)) {
  Object.assign(globalThis, { window: {}, document: {} })
  await Promise.all([import('@tanstack/react-query'), import('@tanstack/react-router')])
  for (const name of ['window', 'document']) Reflect.deleteProperty(globalThis, name)
}
