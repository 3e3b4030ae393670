import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shimScript } from '#fakes/card-network/shim-script.ts'
import { root } from '../processes.ts'
import { fail, step } from '../steps.mjs'
import { commands, filesOfPackages, isBuilt, missingModules, ownFiles } from './contents.ts'
import { noticesOf } from './notices.ts'
import { readLock, servicePackages, shippedPackages } from './packages.ts'
import { sbomOf } from './sbom.ts'
import { type Entry, packed } from './tar.ts'

// `npm run pack` packs one archive that needs only Node, from the files built and installed here, without using a registry.

type Description = {
  name: string
  version: string
  description: string
  license: string
  imports: Record<string, string>
  dependencies: object
}

/** Writes the archive into a folder and returns its path. */
export async function pack(into: string): Promise<string> {
  if (!isBuilt()) throw new Error('The portal is not built: npm run build, and then again.')
  // Safe: the file is our own.
  const product = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Description
  const lock = readLock()
  const loaded = servicePackages(lock)
  const shipped = shippedPackages(lock)
  const folder = `${product.name}-${product.version}-${process.platform}-${process.arch}`
  const entries: Entry[] = [
    ...ownFiles(),
    ...filesOfPackages(loaded),
    text('bin/portolan.mjs', readFileSync(join(import.meta.dirname, 'portolan.mjs'), 'utf8'), true),
    text('bin/commands.json', json(commands())),
    text('dist/card-form.js', await shimScript()),
    text('package.json', json(descriptionOf(product))),
    text('sbom.cdx.json', json(sbomOf({ ...product, dependencies: Object.keys(product.dependencies) }, shipped))),
    text('NOTICES.txt', noticesOf(shipped)),
  ]
  const missing = missingModules(entries, loaded)
  if (missing.length > 0) throw new Error(`The archive would not be whole:\n${missing.join('\n')}`)
  mkdirSync(into, { recursive: true })
  const path = join(into, `${folder}.tar.gz`)
  writeFileSync(path, packed(entries, folder))
  return path
}

const text = (path: string, content: string, runs = false): Entry => ({ path, content: Buffer.from(content), runs })
const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`

/** Returns a package.json with the same script names as in the clone, for operators with npm. */
function descriptionOf({ name, version, description, license, imports }: Description): object {
  const scripts = Object.fromEntries(Object.keys(commands()).map(command => [command, `node bin/portolan.mjs ${command}`]))
  const kept = Object.fromEntries(Object.entries(imports).filter(([alias]) => /^#(?:common|server|fakes)\//.test(alias)))
  return { name, version, private: true, description, license, type: 'module', engines: { node: '>=24.7' }, imports: kept, scripts }
}

if (process.argv[1] === import.meta.filename)
  await step('Packing', () => pack(join(root, 'dist/release'))).then(console.log, (error: Error) => fail(error.message))
