import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { PermanentFailure } from '#server/kit/work/outbox.ts'
import { demoScope } from '#server/session/testing.ts'
import { brandOf, type PdfDocument, sourceOf } from '../pdf/document.ts'
import { openRenderer } from './renderer.ts'
import { startTypesetter, type Typesetter } from './typesetter.ts'

const renderer = openRenderer()
afterAll(() => renderer.stop())
const unit = demoScope('azahar').businessUnitId
const printed = async (of: PdfDocument) => (await renderer.render(unit, of)).content

const document = (changes: Partial<PdfDocument> = {}): PdfDocument => ({
  lang: 'en',
  region: 'gb',
  title: 'Paper',
  subtitle: '',
  running: '',
  intro: '',
  footer: '',
  brand: brandOf('Brand', '#1f6f8b', [], ''),
  parts: [],
  at: new Date('2026-11-20T10:00:00Z'),
  ...changes,
})

test('documents are rendered in order, and equal documents to equal bytes', async () => {
  const [one, other, again] = await Promise.all([printed(document()), printed(document({ title: 'Other' })), printed(document())])
  expect(one.subarray(0, 5).toString()).toBe('%PDF-')
  expect(one.equals(again)).toBe(true)
  expect(one.equals(other)).toBe(false)
})

test('a document does not depend on the documents rendered before it', async () => {
  const columns = [
    { label: 'Name', wide: true, end: false },
    { label: 'Sum', wide: false, end: true },
  ]
  const cover = {
    kind: 'table',
    heading: 'Cover',
    columns,
    rows: Array.from({ length: 30 }, (_, row) => [`Cover ${row}`, `${row} €`]),
  } as const
  const documentOf = (name: string) =>
    document({
      running: `Paper of ${name}`,
      parts: [{ kind: 'table', heading: 'People', columns, rows: [[name, '']] }, { kind: 'page' }, cover],
    })
  const names = ['Ana', 'Leo', 'Eva', 'Ana']
  const inTurn = await Promise.all(names.map(name => printed(documentOf(name))))
  const alone = await Promise.all(
    names.map(async name => {
      const fresh = openRenderer()
      const { content } = await fresh.render(unit, documentOf(name))
      fresh.stop()
      return content
    }),
  )
  expect(inTurn.map((content, index) => content.equals(alone[index] ?? Buffer.of()))).toEqual([true, true, true, true])
  expect(new Set(inTurn.map(content => content.toString('latin1'))).size).toBe(3)
})

test('no template rule names data of a single policy, or texts of a single agency', () => {
  const template = readFileSync(new URL('document.typ', import.meta.url), 'utf8')
  const rules = template.match(/^#(?:set|show)\b[^]*?(?=^#|^\/\/|\n\n)/gm) ?? []
  expect(rules).toHaveLength(5)
  const named = rules.flatMap(rule => rule.match(/(?<!\.)\b(?:paper|brand|foot)\b(?!:)(?:\.\w+)?/g) ?? [])
  expect(new Set(named)).toEqual(new Set(['paper.lang', 'paper.region']))
})

test('a document that cannot be rendered fails for good, and the next is rendered', async () => {
  const [wrong, right] = await Promise.allSettled([
    printed(document({ brand: { ...brandOf('Brand', '#1f6f8b', [], ''), accent: 'no colour' } })),
    printed(document()),
  ])
  expect(wrong).toMatchObject({ status: 'rejected', reason: expect.any(PermanentFailure) })
  expect(wrong).toHaveProperty('reason.message', expect.stringContaining('hexadecimal'))
  expect(right.status).toBe('fulfilled')
})

const svg = (inside: string, box = '0 0 9 9') =>
  `data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${inside}</svg>`).toString('base64')}`
const withLogo = (logo: string, changes: Partial<PdfDocument> = {}) =>
  document({ brand: brandOf('Brand', '#1f6f8b', [], logo), ...changes })
const triangle = svg('<path d="M0 0h9v9"/>')
/** Drawing this aborts the process of the native code. */
const deadly = svg('<rect width="1e30" height="1e30"/>', '0 0 1e-30 1e-30')
/** Drawing this takes seconds. */
const endless = svg(`<text>${'a'.repeat(100_000)}</text>`)

test('a picture that ends the process is left out, and the next documents follow', async () => {
  const heard: string[] = []
  const careful = openRenderer({ onBadPicture: async owner => heard.push(owner) })
  const print = async (of: PdfDocument) => (await careful.render(unit, of)).content
  const [without, behind] = await Promise.all([careful.render(unit, withLogo(deadly)), print(document({ title: 'Behind' }))])
  expect(without.content.equals(await printed(document()))).toBe(true)
  expect(without.source.logo).toBeNull()
  expect(behind.equals(await printed(document({ title: 'Behind' })))).toBe(true)
  expect(heard).toEqual([unit])
  expect((await print(withLogo(deadly))).equals(without.content)).toBe(true)
  expect(heard).toHaveLength(1)
  expect(careful.waiting()).toBe(0)
  careful.stop()
})

test('a picture that takes too long is left out, though its document could be printed', async () => {
  const heard: string[] = []
  const hasty = openRenderer({ quick: { cpuMs: 100, ms: 20_000 }, onBadPicture: async owner => heard.push(owner) })
  const { source } = await hasty.render(unit, withLogo(endless))
  expect([source.logo, heard]).toEqual([null, [unit]])
  hasty.stop()
})

test('an ended process reports whether CPU time ran out, or only the clock', async () => {
  for (const [late, limit] of [
    ['processor', { cpuMs: 100, ms: 60_000 }],
    ['clock', { cpuMs: 10_000, ms: 1 }],
  ] as const) {
    const typesetter = startTypesetter(2000)
    expect(await typesetter.typeset(sourceOf(withLogo(endless)), limit)).toMatchObject({ late })
  }
})

test('a document waits until its bad picture is recorded, and is retried if that fails', async () => {
  const faults = ['no database']
  const careful = openRenderer({
    onBadPicture: async () => {
      const fault = faults.pop()
      if (fault) throw new Error(fault)
    },
  })
  await expect(careful.render(unit, withLogo(deadly))).rejects.toThrow('no database')
  expect((await careful.render(unit, withLogo(deadly))).source.logo).toBeNull()
  careful.stop()
})

test('a long document is printed whole in its own process, where agencies take turns', async () => {
  const hasty = openRenderer({ quick: { cpuMs: 0, ms: 0 } })
  const order: string[] = []
  const other = demoScope('rotta').businessUnitId
  const print = async (owner: typeof unit, title: string) => {
    const { content, source } = await hasty.render(owner, withLogo(triangle, { title }))
    order.push(title)
    expect(source.logo).not.toBeNull()
    return content
  }
  const [one] = await Promise.all([print(unit, 'One'), print(unit, 'Two'), print(unit, 'Three'), print(other, 'Other')])
  expect(one.equals(await printed(withLogo(triangle, { title: 'One' })))).toBe(true)
  expect(order.indexOf('Other')).toBeLessThan(3)
  hasty.stop()
})

test('a document that needs more memory than its process may have fails alone', async () => {
  const columns = [{ label: 'Name', wide: true, end: false }]
  const rows = Array.from({ length: 20_000 }, (_, row) => [`Row ${row}`])
  const small = openRenderer({ slowMegabytes: 1600 })
  const [large, usual] = await Promise.allSettled([
    small.render(unit, document({ parts: [{ kind: 'table', heading: 'Rows', columns, rows }] })),
    small.render(unit, document()),
  ])
  expect(large).toMatchObject({ status: 'rejected', reason: expect.any(PermanentFailure) })
  expect(usual.status).toBe('fulfilled')
  small.stop()
})

test('a picture is proved by drawing it, within little time and memory', async () => {
  expect(await renderer.canDraw(unit, triangle)).toBe(true)
  expect(await renderer.canDraw(unit, deadly)).toBe(false)
  expect(await renderer.canDraw(unit, endless)).toBe(false)
})

test('each document shows its own logo, also beyond the number of cached logos', async () => {
  const documentOf = (index: number) => printed(withLogo(svg(`<path d="M0 0h9v${index + 1}z"/>`)))
  const all = await Promise.all(Array.from({ length: 210 }, (_, index) => documentOf(index)))
  expect(new Set(all.map(each => each.toString('latin1'))).size).toBe(210)
  for (const index of [0, 199, 200, 209]) expect((await documentOf(index)).equals(all[index] ?? Buffer.of())).toBe(true)
})

test('stopping the renderer rejects all waiting documents', async () => {
  const stopped = openRenderer()
  const waiting = [stopped.render(unit, document()), stopped.render(unit, document())]
  const outcomes = Promise.allSettled(waiting)
  stopped.stop()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('a renderer leaves its idle process to the next one, and never one with work', async () => {
  const idle: Typesetter[] = []
  // Less than the start of a process takes, which does not count.
  const first = openRenderer({ idle, quick: { cpuMs: 120, ms: 20_000 } })
  const { content } = await first.render(unit, document())
  first.stop()
  const [child] = idle
  expect(idle).toHaveLength(1)
  const second = openRenderer({ idle })
  expect((await second.render(unit, document())).content.equals(content)).toBe(true)
  expect(idle).toEqual([])
  second.stop()
  expect(idle).toEqual([child])
  const third = openRenderer({ idle })
  const interrupted = expect(third.render(unit, document())).rejects.toThrow('the renderer is stopped')
  third.stop()
  await interrupted
  expect(idle).toEqual([])
})
