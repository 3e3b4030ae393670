import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { knownVulnerabilities } from './advisories.ts'
import { licenceFaults, readAllowed } from './licences.ts'
import { type Lock, readLock, shippedPackages } from './packages.ts'

const allowed = { shipped: ['MIT', 'ISC'], tools: ['MPL-2.0'], exceptions: {} }
const lockOf = (license: string | undefined, dev = false): Lock => ({
  packages: { '': {}, 'node_modules/one': { version: '1.0.0', dev, ...(license ? { license } : {}) } },
})

test('every locked package has a licence that is on the list', () => {
  expect(licenceFaults(readLock(), readAllowed())).toEqual([])
})

test('an unlisted licence is refused, and so is a missing one', () => {
  expect(licenceFaults(lockOf('GPL-3.0-only'), allowed)).toEqual([expect.stringContaining("one@1.0.0 is shipped under 'GPL-3.0-only'")])
  expect(licenceFaults(lockOf(undefined), allowed)).toEqual([expect.stringContaining('no named licence')])
  expect(licenceFaults(lockOf('SEE LICENSE IN LICENSE'), allowed)).toHaveLength(1)
})

test('one licence of a choice must be listed, and all of a combination', () => {
  const verdict = (license: string) => licenceFaults(lockOf(license), allowed).length === 0
  expect(['MIT OR GPL-2.0-only', '(ISC AND MIT)', '(GPL-2.0-only OR MIT) AND ISC'].map(verdict)).toEqual([true, true, true])
  const refused = ['MIT AND GPL-2.0-only', '(MIT OR ISC) AND GPL-2.0-only', 'yes AND (MIT)', 'GPL-2.0-only AND (MIT) OR yes']
  expect(refused.map(verdict)).toEqual([false, false, false, false])
})

test('developers’ packages may have more licences than shipped ones', () => {
  expect(licenceFaults(lockOf('MPL-2.0', true), allowed)).toEqual([])
  expect(licenceFaults(lockOf('MPL-2.0'), allowed)).toHaveLength(1)
  const lock = readLock()
  expect(lock.packages['node_modules/react']?.dev).toBe(true)
  expect(shippedPackages(lock).map(({ name }) => name)).toContain('react')
})

test('an exception names a package and its version, and must be in use', () => {
  const exceptions = { 'one@1.0.0': 'its author answered that it is MIT' }
  expect(licenceFaults(lockOf(undefined), { ...allowed, exceptions })).toEqual([])
  expect(licenceFaults(lockOf('MIT'), { ...allowed, exceptions })).toEqual([expect.stringContaining('is not needed')])
})

test('known vulnerabilities are shown as the registry reports them', async () => {
  const advisory = { id: 1, url: 'https://advisories.example/1', title: 'Reads too much', severity: 'high', vulnerable_versions: '>=5.0.0' }
  const known = { name: 'fastify', 'dist-tags': { latest: '5.0.0' }, versions: { '5.0.0': { name: 'fastify', version: '5.0.0' } } }
  const registry = createServer(({ method }, reply) => {
    reply.setHeader('content-type', 'application/json').end(JSON.stringify(method === 'POST' ? { fastify: [advisory] } : known))
  })
  await new Promise<void>(resolve => void registry.listen(0, '127.0.0.1', resolve))
  // Safe: it listens on a port.
  const shown = await knownVulnerabilities(`http://127.0.0.1:${(registry.address() as AddressInfo).port}`, 60_000)
  registry.close()
  expect(shown[0]).toMatch(/^Known vulnerabilities: [1-9]/)
  expect(shown.join('\n')).toContain('high: fastify *: Reads too much https://advisories.example/1')
})

test('an unreachable registry is reported and fails nothing', async () => {
  expect(await knownVulnerabilities('http://127.0.0.1:9')).toEqual([expect.stringContaining('not asked')])
})
