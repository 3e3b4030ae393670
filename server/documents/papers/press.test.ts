import { afterAll, expect, test } from 'vitest'
import { PermanentFailure } from '#server/kit/outbox.ts'
import { brandOf, type Paper } from './paper.ts'
import { openPress } from './press.ts'

const press = openPress()
afterAll(() => press.stop())

const paper = (changes: Partial<Paper> = {}): Paper => ({
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

test('prints in the order of asking, and the same to the byte', async () => {
  const [one, other, again] = await Promise.all([press.print(paper()), press.print(paper({ title: 'Other' })), press.print(paper())])
  expect(one.subarray(0, 5).toString()).toBe('%PDF-')
  expect(one.equals(again)).toBe(true)
  expect(one.equals(other)).toBe(false)
})

test('what cannot be printed says so for good, and holds up nothing behind it', async () => {
  const [wrong, right] = await Promise.allSettled([
    press.print(paper({ brand: { ...brandOf('Brand', '#1f6f8b', [], ''), accent: 'no colour' } })),
    press.print(paper()),
  ])
  expect(wrong).toMatchObject({ status: 'rejected', reason: expect.any(PermanentFailure) })
  expect(right.status).toBe('fulfilled')
})

test('a press that is stopped leaves nobody waiting', async () => {
  const stopped = openPress()
  const waiting = [stopped.print(paper()), stopped.print(paper())]
  const outcomes = Promise.allSettled(waiting)
  await stopped.stop()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
