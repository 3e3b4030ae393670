import { createHash } from 'node:crypto'
import type { Package } from './packages.ts'

type Product = { name: string; version: string; description: string; license: string; dependencies: string[] }

/** The bill of materials in CycloneDX 1.6. It has no time, and its number depends on its content, so the same packages give the same bill. */
export function sbomOf(product: Product, packages: Package[]): object {
  const own = `pkg:npm/${product.name}@${product.version}`
  const refs = new Map(packages.map(each => [each.place, refOf(each)]))
  const uses = packages.map(each => ({ ref: refOf(each), dependsOn: distinct(each.uses.flatMap(place => refs.get(place) ?? [])) }))
  const direct = product.dependencies.flatMap(name => refs.get(`node_modules/${name}`) ?? [])
  const { name, version, description, license } = product
  const content = {
    metadata: {
      component: { type: 'application', 'bom-ref': own, name, version, description, licenses: [{ license: { id: license } }], purl: own },
    },
    components: packages.map(componentOf),
    dependencies: [{ ref: own, dependsOn: distinct(direct) }, ...uses],
  }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  }
}

const distinct = (refs: string[]): string[] => [...new Set(refs)].sort()

/** The path distinguishes two copies of a package with the same version. */
const refOf = ({ name, version, place }: Package): string =>
  place === `node_modules/${name}` ? `${name}@${version}` : `${name}@${version}|${place}`

function componentOf(one: Package): object {
  const { name, version, license, integrity } = one
  const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name]
  const [, algorithm, digest] = /^(sha\d+)-(.+)$/.exec(integrity ?? '') ?? []
  return {
    type: 'library',
    'bom-ref': refOf(one),
    ...(group ? { group } : {}),
    name: short,
    version,
    ...(algorithm && digest
      ? { hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
    ...(license ? { licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }] } : {}),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  }
}

/** Returns a UUID derived from a text (RFC 9562, version 8). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}
