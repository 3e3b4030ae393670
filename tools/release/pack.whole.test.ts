import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMailbox } from '#fakes/mailbox.ts'
import { asker, sell } from '#testing/agent.ts'
import { commands, missingModules } from './contents.ts'
import { pack } from './pack.ts'
import { command, endAll, lettersTo, openForSale, prepare, serve, unpack } from './unpacked.ts'

let folder: string
let archive: string
let release: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portolan-pack-'))
  archive = await pack(join(folder, 'one'))
  release = unpack(archive, join(folder, 'unpacked'))
})
afterAll(() => {
  endAll()
  execFileSync('chmod', ['-R', 'u+w', folder])
  rmSync(folder, { recursive: true, force: true })
})

test('two releases of the same tree are identical, byte for byte', async () => {
  expect(readFileSync(await pack(join(folder, 'two'))).equals(readFileSync(archive))).toBe(true)
})

test('the release sells with Node alone, from a folder that it never writes to', async () => {
  const before = listing(release)
  const mailbox = await openMailbox()
  const environment = {
    DATA_DIR: join(folder, 'data'),
    PUBLIC_URL: 'http://127.0.0.1:3000',
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Portal <no-reply@agency.test>',
  }
  const token = await prepare(release, environment)
  const node = await serve(release, environment)
  const ask = asker(() => node.origin)
  const agent = await openForSale(ask, token, mailbox)
  const sold = await sell(agent)
  expect(sold.files.length).toBeGreaterThan(0)
  for (const { uuid } of sold.files) {
    const document = await agent.ask(`/api/files/${uuid}`)
    expect([document.status, document.text.slice(0, 5)]).toEqual([200, '%PDF-'])
  }
  await expect.poll(() => lettersTo(mailbox, 'ana@example.es')).toHaveLength(1)
  const page = await ask('/', { headers: { accept: 'text/html' } })
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)?.[1] ?? ''
  expect([page.status, (await ask(script)).status]).toEqual([200, 200])
  expect(await node.stop()).toBe(0)
  await mailbox.close()
  expect(await command(release, environment, 'backup', join(folder, 'backup'))).toContain('rows written')
  expect(listing(release)).toEqual(before)
})

test('a trial of the release has the card network with its form', async () => {
  const node = await serve(release, { NODE_ENV: 'development', DATA_DIR: join(folder, 'trial') })
  const form = await asker(() => node.origin)('/dev/cards/stripe.js')
  expect([form.status, form.text.includes('openStripe')]).toEqual([200, true])
  expect(await node.stop()).toBe(0)
})

test('the release runs the service’s own commands, and lists them for any other', async () => {
  expect(Object.keys(commands())).toEqual(expect.arrayContaining(['serve', 'catalogue', 'administrator', 'backup', 'restore', 'geography']))
  await expect(command(release, {}, 'sell')).rejects.toThrow('Usage: portolan.mjs serve | ')
})

test('the release has no test, no tool, no pinned Node and no foreign binary', () => {
  const paths = listing(release).map(([path]) => path)
  expect(paths.filter(path => /\.test\.ts$|^tools\/|node_modules\/(?:node-|vite|vitest|typescript|react)\b|\.map$/.test(path))).toEqual([])
  expect(paths.filter(path => path.endsWith('.node'))).toHaveLength(1)
})

test('the bill of materials names every packed part, and the licence texts are packed', () => {
  const bill = JSON.parse(readFileSync(join(release, 'sbom.cdx.json'), 'utf8'))
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
  })
  const named = bill.components.map((each: { purl: string }) => each.purl.replace(/@[^@]*$/, '').replace('pkg:npm/', ''))
  const installed = readdirSync(join(release, 'node_modules')).flatMap(name =>
    name.startsWith('@') ? readdirSync(join(release, 'node_modules', name)).map(inner => `%40${name.slice(1)}/${inner}`) : [name],
  )
  expect(named).toEqual(expect.arrayContaining([...installed, 'react', 'react-dom', '%40tanstack/react-router']))
  expect(bill.components.filter((each: { licenses?: unknown; hashes?: unknown }) => !each.licenses || !each.hashes)).toEqual([])
  const notices = readFileSync(join(release, 'NOTICES.txt'), 'utf8')
  for (const each of bill.components) expect(notices).toContain(`${[each.group, each.name].filter(Boolean).join('/')} ${each.version} (`)
})

test('a file that imports an unpacked module is found', () => {
  const entry = (text: string) => ({ path: 'server/a.ts', content: Buffer.from(text) })
  expect(missingModules([entry(`import { b } from './b.ts'\nimport c from 'left-pad'\nimport type { D } from '#tools/d.ts'`)], [])).toEqual(
    ['server/a.ts needs server/b.ts', 'server/a.ts needs left-pad'],
  )
})

/** Returns every file with its size and time. */
function listing(place: string): [string, number, number][] {
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .sort()
    .map(name => {
      const { size, mtimeMs } = statSync(join(place, name))
      return [name, size, mtimeMs]
    })
}
