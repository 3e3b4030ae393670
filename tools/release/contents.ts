import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join, normalize } from 'node:path'
import { root } from '../processes.ts'
import { isLegal } from './notices.ts'
import { namesIn, type Package } from './packages.ts'
import type { Entry } from './tar.ts'

/** The project's files that the running service or an operator reads. */
const folders = ['server', 'common', 'catalogue', 'fakes/card-network', 'deploy']
const files = ['.env.example', 'LICENSE', 'THIRD-PARTY.md', 'CHANGELOG.md', 'docs/operations.md', 'docs/updating.md']

const isForTests = (path: string): boolean => /\.test\.[mc]?ts$|\/testing[^/]*\.ts$|\/tsconfig[^/]*\.json$/.test(path)
/** Leaves out the archives, and the fake's card form, which is one built script. */
const isLeftOut = (path: string): boolean =>
  isForTests(path) || /^dist\/release\/|^deploy\/secrets\/|^fakes\/card-network\/shim\/|\.d\.ts$/.test(path)

/** Only tracked and built files are packed, not secrets and notes in the folder. */
export function ownFiles(): Entry[] {
  const known = execFileSync('git', ['ls-files', '-z', ...folders], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean)
  const built = globSync('dist/**', { cwd: root, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(join(root, '/').length))
  const own = [...known, ...built, ...files].filter(path => !isLeftOut(path))
  return [...withLinked(own)].map(path => ({ path, content: readFileSync(join(root, path)) }))
}

/** Returns the files, and every page that their pages link to, directly or through others. */
function withLinked(paths: readonly string[]): Set<string> {
  const all = new Set(paths)
  // The loop also visits pages added meanwhile.
  for (const page of all)
    if (page.endsWith('.md')) for (const target of linksOf(page, readFileSync(join(root, page), 'utf8'))) all.add(target)
  return all
}

/** Returns the paths of the files to which a page links. */
export const linksOf = (page: string, text: string): string[] =>
  [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => normalize(join(page, '..', target)))

/**
 * Matches files that no program loads: notes, source maps, TypeScript sources, tests and examples. Node refuses TypeScript in packages. Folders of
 * tests and examples count only at a package's top level.
 */
const isIdle = (path: string): boolean =>
  (/\.(?:map|[mc]?tsx?|md|markdown|flow|html)$/i.test(path) && !isLegal(basename(path))) ||
  /^(?:\.[^/]+|tests?|__tests__|docs?|examples?|benchmarks?|coverage)\//.test(path) ||
  /(?:^|\/)\.[^/]+$/.test(path)

export function filesOfPackages(packages: Package[]): Entry[] {
  return packages.flatMap(({ place }) =>
    globSync('**', { cwd: join(root, place), withFileTypes: true, exclude: entry => entry.isDirectory() && entry.name === 'node_modules' })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(join(root, place, '/').length))
      .filter(path => !isIdle(path))
      .map(path => ({ path: join(place, path), content: readFileSync(join(root, place, path)) })),
  )
}

/** Returns modules that the archive's files import but that it lacks. Such an archive would not start. */
export function missingModules(entries: Entry[], packages: Package[]): string[] {
  const paths = new Set(entries.map(({ path }) => path))
  const names = new Set(packages.map(({ name }) => name))
  return entries
    .filter(({ path }) => path.endsWith('.ts') && !path.startsWith('node_modules/'))
    .flatMap(({ path, content }) => {
      const source = content.toString().replaceAll(/^import type .*$|^export type .* from .*$/gm, '')
      const own = [...source.matchAll(/\bfrom\s*'([#.][^']*)'/g)].map(([, named = '']) =>
        named.startsWith('#') ? named.slice(1) : normalize(join(path, '..', named)),
      )
      const bare = namesIn(source).filter(name => !names.has(name) && !source.includes(`await import('${name}')`))
      return [...own.filter(named => !paths.has(named)), ...bare].map(named => `${path} needs ${named}`)
    })
}

/** The commands of tools/run.mjs that belong to the service and need no tools. */
export function commands(): Record<string, { script: string; before: string[] }> {
  const text = readFileSync(join(root, 'tools/run.mjs'), 'utf8')
  const found = [...text.matchAll(/^ {2}(\w+): \(\) => tool\('(server\/[^']+-command\.ts)'((?:, '[^']+')*)\)/gm)]
  const each = found.map(([, name = '', script = '', before = '']) => {
    return [name, { script, before: [...before.matchAll(/'([^']+)'/g)].map(([, word = '']) => word) }] as const
  })
  return { serve: { script: 'server/main.ts', before: [] }, ...Object.fromEntries(each) }
}

export const isBuilt = (): boolean => existsSync(join(root, 'dist/portal/index.html')) && existsSync(join(root, 'dist/portal/build.json'))
