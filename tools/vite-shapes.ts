import * as shapes from 'zod/mini'
import type { Plugin } from 'vite'

/**
 * The service judges what a call carries by its shapes; the browser reads only a call's method, path and needs. So the browser gets no
 * shapes: each name of the library stands for nothing, and whoever wants to judge by one is told.
 */
export function withoutShapes(): Plugin {
  return {
    name: 'portolan-without-shapes',
    enforce: 'pre',
    resolveId: id => (id === 'zod/mini' ? '\0shapes' : undefined),
    load: id => (id === '\0shapes' ? source : undefined),
  }
}

const names = Object.keys(shapes).filter(name => /^[a-z_]\w*$/i.test(name) && name !== 'default')

const source = `
const judges = new Set(['parse', 'safeParse', 'parseAsync', 'safeParseAsync'])
const nothing = /* @__PURE__ */ new Proxy(function () {}, {
  apply: () => nothing,
  construct: () => nothing,
  get(_, name) {
    if (judges.has(name)) throw new Error('shapes are judged by the service alone')
    return nothing
  },
})
${names.map(name => `const ${name}_ = nothing\nexport { ${name}_ as ${name} }`).join('\n')}
`
