// The router and the queries look once, as they are loaded, if there is a window. All test files of a process share them, so they see one in each.
if (!('window' in globalThis)) {
  Object.assign(globalThis, { window: {}, document: {} })
  await Promise.all([import('@tanstack/react-query'), import('@tanstack/react-router')])
  for (const name of ['window', 'document']) Reflect.deleteProperty(globalThis, name)
}
