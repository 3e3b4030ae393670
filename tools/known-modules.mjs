// Node loads this file before the service. Resolving 1 400 imports takes Node two fifths of their loading time, with the same result each time. So
// `npm run build` stores the result (compile-service.ts), and the service asks Node only for the rest.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const own = new URL('../', import.meta.url).href
const fileIn = root => new URL('.cache/modules.json', root)

/**
 * Node's results depend only on its version, on package.json and on the installed packages. Our own files name each other by their paths. Development
 * packages do not count, since a service is built with them and then runs without.
 */
function situationOf(root) {
  const { packages } = JSON.parse(readFileSync(new URL('node_modules/.package-lock.json', root), 'utf8'))
  const installed = Object.entries(packages).flatMap(([place, { dev, version }]) => (dev ? [] : [`${place} ${version}`]))
  return [process.version, readFileSync(new URL('package.json', root), 'utf8'), ...installed].join('\n')
}

/** Returns undefined if a file is missing or damaged, as the service starts without it. */
function unlessDamaged(read) {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** `import` and `require` may find different files of a package. */
const way = conditions => (conditions.includes('require') ? 'require' : 'import')

/** Uses the stored results, if they match the present packages. */
export function useKnown(root = own) {
  const known = unlessDamaged(() => JSON.parse(readFileSync(fileIn(root), 'utf8')))
  if (!known?.files || known.situation !== unlessDamaged(() => situationOf(root))) return
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '', conditions } = context
      const found = parentURL.startsWith(root) ? known[way(conditions)]?.[parentURL.slice(root.length)]?.[specifier] : undefined
      if (!Array.isArray(known.files[found])) return next(specifier, context)
      const [path, format] = known.files[found]
      return { url: root + path, format: format ?? undefined, shortCircuit: true }
    },
  })
}

/** Records from now on what Node resolves, and returns a function that writes it to the file. */
export function noteFound(root = own) {
  const known = { situation: unlessDamaged(() => situationOf(root)), import: {}, require: {}, files: [] }
  const numbers = new Map()
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      const { parentURL = '', conditions } = context
      // Files outside and Node's own modules are resolved at once.
      if (!found.url.startsWith(root) || !parentURL.startsWith(root)) return found
      const path = found.url.slice(root.length)
      if (!numbers.has(path)) numbers.set(path, known.files.push([path, found.format]) - 1)
      const from = parentURL.slice(root.length)
      known[way(conditions)][from] = { ...known[way(conditions)][from], [specifier]: numbers.get(path) }
      return found
    },
  })
  return () => {
    hooks.deregister()
    if (!known.situation) return
    const file = fileIn(root)
    // A service that starts meanwhile reads the previous file, or the complete new one.
    const written = new URL(`${file}.${process.pid}`)
    mkdirSync(new URL('.', file), { recursive: true })
    writeFileSync(written, JSON.stringify(known))
    renameSync(written, file)
  }
}
