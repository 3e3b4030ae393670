import { readFileSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'
import { PermanentFailure } from '#server/kit/work/outbox.ts'
import { brandOf, type PdfDocument } from './document.ts'
import { openRenderer } from './renderer.ts'

const renderer = openRenderer()
afterAll(() => renderer.stop())

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
  const [one, other, again] = await Promise.all([
    renderer.render(document()),
    renderer.render(document({ title: 'Other' })),
    renderer.render(document()),
  ])
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
  const inTurn = await Promise.all(names.map(name => renderer.render(documentOf(name))))
  const alone = await Promise.all(
    names.map(async name => {
      const fresh = openRenderer()
      const printed = await fresh.render(documentOf(name))
      await fresh.stop()
      return printed
    }),
  )
  expect(inTurn.map((printed, index) => printed.equals(alone[index] ?? Buffer.of()))).toEqual([true, true, true, true])
  expect(new Set(inTurn.map(printed => printed.toString('latin1'))).size).toBe(3)
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
    renderer.render(document({ brand: { ...brandOf('Brand', '#1f6f8b', [], ''), accent: 'no colour' } })),
    renderer.render(document()),
  ])
  expect(wrong).toMatchObject({ status: 'rejected', reason: expect.any(PermanentFailure) })
  expect(wrong).toHaveProperty('reason.message', expect.stringContaining('hexadecimal'))
  expect(right.status).toBe('fulfilled')
})

test('a document whose logo times out is rendered without it, and the next follows', async () => {
  const logo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9"/></svg>')
  const drawn = document({ brand: brandOf('Brand', '#1f6f8b', [], `data:image/svg+xml;base64,${logo.toString('base64')}`) })
  // The timeout fires before any picture can be drawn.
  const hasty = openRenderer({ withPicture: 0, without: 30_000 })
  const [without, behind] = await Promise.all([hasty.render(drawn), hasty.render(document({ title: 'Behind' }))])
  expect(without.equals(await renderer.render(document()))).toBe(true)
  expect(behind.equals(await renderer.render(document({ title: 'Behind' })))).toBe(true)
  expect((await renderer.render(drawn)).equals(without)).toBe(false)
  expect(hasty.waiting()).toBe(0)
  await hasty.stop()
})

test('each document shows its own logo, also beyond the number of cached logos', async () => {
  const documentOf = (index: number) => {
    const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v${index + 1}z"/></svg>`
    return renderer.render(
      document({ brand: brandOf('Brand', '#1f6f8b', [], `data:image/svg+xml;base64,${Buffer.from(logo).toString('base64')}`) }),
    )
  }
  const all = await Promise.all(Array.from({ length: 210 }, (_, index) => documentOf(index)))
  expect(new Set(all.map(each => each.toString('latin1'))).size).toBe(210)
  for (const index of [0, 199, 200, 209]) expect((await documentOf(index)).equals(all[index] ?? Buffer.of())).toBe(true)
})

test('stopping the renderer rejects all waiting documents', async () => {
  const stopped = openRenderer()
  const waiting = [stopped.render(document()), stopped.render(document())]
  const outcomes = Promise.allSettled(waiting)
  await stopped.stop()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('a renderer leaves its idle thread to the next one, and never one with work', async () => {
  const idle: Worker[] = []
  const first = openRenderer(undefined, idle)
  const printed = await first.render(document())
  await first.stop()
  const [thread] = idle
  expect(idle).toHaveLength(1)
  const second = openRenderer(undefined, idle)
  expect((await second.render(document())).equals(printed)).toBe(true)
  expect(idle).toEqual([])
  await second.stop()
  expect(idle).toEqual([thread])
  const third = openRenderer(undefined, idle)
  const interrupted = expect(third.render(document())).rejects.toThrow('the renderer is stopped')
  await third.stop()
  await interrupted
  expect(idle).toEqual([])
})
