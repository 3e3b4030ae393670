import * as shapes from 'zod/mini'
import type { Plugin } from 'vite'

/**
 * The service judges what a call carries by its shapes; the browser reads only a call's method, path and needs. So the browser gets no
 * shapes and no summaries: each name of the library stands for nothing, and whoever wants to judge by one is told.
 */
export const withoutShapes = (): Plugin[] => [
  {
    name: 'portolan-without-shapes',
    enforce: 'pre',
    resolveId: id => (id === 'zod/mini' ? '\0shapes' : undefined),
    load: id => (id === '\0shapes' ? source : undefined),
  },
  {
    name: 'portolan-bare-calls',
    apply: 'build',
    transform: {
      filter: { id: /\/common\/.*\.ts$/, code: /zod\/mini/ },
      handler(code) {
        const statements = this.parse(code).body as unknown as Statement[]
        const declared = statements.flatMap(statement => (statement.declaration ?? statement).declarations ?? [])
        const cuts = declared.flatMap(({ init }) => {
          // Also one that is made for each page: `path => call({ … })`.
          const made = init?.body ?? init
          if (made?.callee?.name === 'call') return needless(made.arguments)
          return init && rootOf(init) === 'z' ? [{ start: init.start, end: init.end, by: 'z.any' }] : []
        })
        return { code: cuts.toReversed().reduce(cut, code), map: null }
      },
    },
  },
]

type Node = { start: number; end: number }
type Property = Node & { key?: { name?: string } }
type Expression = Node & {
  name?: string
  callee?: Expression
  body?: Expression
  object?: Expression
  arguments?: { properties?: Property[] }[]
}
type Declaration = { declarations?: { init?: Expression }[] }
type Statement = Declaration & { declaration?: Declaration | null }
type Cut = Node & { by?: string }

/** What a chain of calls begins with: `z` of `z.string().check(…)`. */
const rootOf = ({ name, callee, object }: Expression): string | undefined => {
  const before = callee ?? object
  return before ? rootOf(before) : name
}

const read = new Set(['method', 'path', 'needs', 'idempotent'])

const needless = (given: Expression['arguments']): Cut[] => (given?.[0]?.properties ?? []).filter(({ key }) => !read.has(key?.name ?? ''))

/** A shape becomes the one that stands for nothing; a property goes with the comma behind it. */
const cut = (code: string, { start, end, by }: Cut): string =>
  code.slice(0, start) + (by ?? '') + (by ? code.slice(end) : code.slice(end).replace(/^\s*,/, ''))

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
export { ${names.map(name => `nothing as ${name}`).join(', ')} }
`
