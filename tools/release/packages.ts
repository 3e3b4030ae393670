import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../processes.ts'

/** A package as package-lock.json names it. */
export type Package = {
  name: string
  version: string
  /** The path from the root: `node_modules/pg`. */
  place: string
  license: string | undefined
  integrity: string | undefined
  /** The paths of the packages that it uses. */
  uses: string[]
  dev: boolean
}

type Locked = {
  version?: string
  license?: string
  integrity?: string
  dev?: boolean
  optional?: boolean
  os?: string[] | string
  cpu?: string[] | string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

export type Lock = { packages: Record<string, Locked> }

// Safe: npm writes the file in this format.
export const readLock = (): Lock => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock

const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

export function packagesOf({ packages }: Lock): Package[] {
  const placed = (from: string, name: string): string | undefined => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const place = `${folder ? `${folder}/` : ''}node_modules/${name}`
      if (packages[place]) return place
      if (!folder) return undefined
    }
  }
  return Object.entries(packages)
    .filter(([place]) => place !== '')
    .map(([place, locked]) => ({
      name: nameOf(place),
      version: locked.version ?? '',
      place,
      license: locked.license,
      integrity: locked.integrity,
      uses: Object.keys({ ...locked.dependencies, ...locked.optionalDependencies, ...locked.peerDependencies })
        .flatMap(name => placed(place, name) ?? [])
        .sort(),
      dev: locked.dev === true,
    }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
}

/**
 * Returns the packages that the service loads. The pinned Node, other machines' builds and type packages are left out. An optional one counts if it
 * is installed.
 */
export function servicePackages(lock: Lock): Package[] {
  const pinned = Object.keys(lock.packages['']?.optionalDependencies ?? {})
  return packagesOf(lock).filter(({ dev, name, place }) => {
    const locked = lock.packages[place] ?? {}
    if (dev || pinned.includes(name) || name.startsWith('@types/') || !fits(locked)) return false
    return !locked.optional || existsSync(join(root, place))
  })
}

const fits = ({ os = [], cpu = [] }: Locked): boolean =>
  [os].flat().every(each => each === process.platform) && [cpu].flat().every(each => each === process.arch)

/** Returns the packages in the built portal: those that its sources import, and their dependencies. */
function portalPackages(lock: Lock): Package[] {
  const all = new Map(packagesOf(lock).map(each => [each.place, each]))
  const sources = globSync('portal/**/*.{ts,tsx,css}', { cwd: root }).filter(file => !/(?:\.test|\/testing)\.tsx?$/.test(file))
  const wanted = sources.flatMap(file => namesIn(readFileSync(join(root, file), 'utf8'))).map(name => `node_modules/${name}`)
  const found = new Map<string, Package>()
  const add = (place: string): void => {
    const one = all.get(place)
    if (!one || found.has(place) || one.name.startsWith('@types/')) return
    found.set(place, one)
    one.uses.forEach(add)
  }
  wanted.forEach(add)
  return [...found.values()].sort((a, b) => (a.place < b.place ? -1 : 1))
}

/** Returns the packages whose modules a source imports. */
export function namesIn(source: string): string[] {
  return [...source.matchAll(/(?:\bfrom\s*|^import\s*|@import\s*|\bimport\(\s*)['"]((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[^'"]*)?['"]/gm)]
    .map(([, name = '']) => name)
    .filter(name => name !== 'node')
}

/** Returns the packages that reach users, on the server or in the browser. */
export function shippedPackages(lock: Lock): Package[] {
  const both = [...servicePackages(lock), ...portalPackages(lock)]
  return [...new Map(both.map(each => [each.place, each])).values()].sort((a, b) => (a.place < b.place ? -1 : 1))
}
