// Adds builds for other machines, which a registry mirror lacks, to package-lock.json. `npm ci` refuses a lock file without them on every machine,
// and never fetches those for other machines. Run it after `npm install` of a package.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const path = join(import.meta.dirname, '../package-lock.json')
const lock = JSON.parse(readFileSync(path, 'utf8'))
const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const processors = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

for (const [place, { optionalDependencies = {}, license, dev }] of Object.entries(lock.packages))
  for (const [name, version] of Object.entries(optionalDependencies))
    if (!isNamed(place, name))
      lock.packages[`node_modules/${name}`] = { ...kindOf(name, version), ...(dev && { dev }), license, optional: true }

lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')))
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)

/** Finds a package as Node does: in the importing package, or in one of those around it. */
function isNamed(place, name) {
  for (let around = place; ; around = around.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, '')) {
    if (lock.packages[`${around}${around && '/'}node_modules/${name}`]) return true
    if (!around) return false
  }
}

/** Returns the kind of machine at the end of a name: `-linux-arm64-musl`. */
function kindOf(name, version) {
  const words = name.split(/[/-]/)
  const [cpu, os] = [processors, systems].map(known => words.filter(word => known.includes(word)))
  if (cpu.length !== 1) throw new Error(`${name} does not name its kind of machine`)
  const libc = words.includes('linux') && (/^(musl|gnu)/.exec(words.at(-1)) ?? []).slice(1).map(kind => (kind === 'gnu' ? 'glibc' : kind))
  return { version, cpu, ...(os.length > 0 && { os }), ...(libc && libc.length > 0 && { libc }) }
}
