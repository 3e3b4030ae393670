import { assert, expect, test } from 'vitest'
import { demoScope } from '#server/session/testing.ts'
import { PermanentFailure } from '#server/kit/work/outbox.ts'
import { brandOf } from '../pdf/document.ts'
import { mostOfPicture, mostWaitingProofs, openRenderer } from './renderer.ts'
import type { Limit, Typeset } from './typesetter.ts'

// A picture is judged by the ends of processes. Here, processes end as each test wants.

const unit = demoScope('azahar').businessUnitId
const logo = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>').toString('base64')}`
const document = {
  lang: 'en',
  region: 'gb',
  title: 'Paper',
  subtitle: '',
  running: '',
  intro: '',
  footer: '',
  brand: brandOf('Brand', '#1f6f8b', [], logo),
  parts: [],
  at: new Date(0),
}
const drawn = { content: new Uint8Array(), cpuMs: 9, megabytes: 100 }
const killed = { ended: 'SIGKILL' }

/** Opens a renderer whose processes have these outcomes, one after another. `withLogo` says which documents had the picture. */
function rendererOf(outcomes: (hasLogo: boolean) => Typeset | Promise<Typeset>) {
  const bad: string[] = []
  const withLogo: boolean[] = []
  const limits: Limit[] = []
  const renderer = openRenderer({
    onBadPicture: async owner => bad.push(owner),
    start: () => ({
      async typeset(source, limit) {
        limits.push(limit)
        withLogo.push(source.logo !== null)
        return outcomes(source.logo !== null)
      },
      isAlive: () => true,
      end: () => undefined,
    }),
  })
  return { renderer, bad, withLogo, limits, print: async () => (await renderer.render(unit, document)).source.logo !== null }
}
const inTurn = (...outcomes: Typeset[]) => {
  const left = [...outcomes]
  return () => left.shift() ?? drawn
}

test.each([1, 2, 3, 4, 5, 6, 9])('a machine that ends %i processes in a row for lack of memory blames no picture', async ends => {
  const { renderer, bad, print } = rendererOf(inTurn(...Array.from({ length: ends }, () => killed)))
  for (let tries = 0; tries < 9; tries++) {
    const hasLogo = await print().catch((error: Error) => {
      expect(error).toMatchObject({ code: 'service.unavailable' })
      expect(error).not.toBeInstanceOf(PermanentFailure)
    })
    if (hasLogo !== undefined) expect(hasLogo).toBe(true)
  }
  expect([bad, await print(), await renderer.canDraw(unit, logo)]).toEqual([[], true, true])
})

test('a picture that ends its processes while clean pages are drawn is left out', async () => {
  const { bad, withLogo, print } = rendererOf(hasLogo => (hasLogo ? killed : drawn))
  expect(await print()).toBe(false)
  expect(bad).toEqual([unit])
  expect(withLogo).toEqual([true, true, false, true, false, false])
})

test('a machine that stalls fails no document for good, and blames no picture', async () => {
  const late = { ended: 'late', late: 'clock' } as const
  for (const outcomes of [
    [late, late],
    [late, drawn, late],
  ]) {
    const { bad, print } = rendererOf(inTurn(...outcomes))
    await expect(print()).rejects.toMatchObject({ code: 'service.unavailable' })
    expect([bad, await print()]).toEqual([[], true])
  }
})

test.each([
  ['time on the processor', { ended: 'late', late: 'processor' }, false],
  ['time on the processor, in the end', { ...drawn, cpuMs: mostOfPicture.cpuMs + 1 }, false],
  ['memory', { ...drawn, megabytes: mostOfPicture.megabytes + 1 }, false],
  ['no more than it may', { ...drawn, ...mostOfPicture }, true],
] satisfies [string, Typeset, boolean][])('a picture is judged by itself if it took %s', async (_, outcome, can) => {
  assert(mostOfPicture.megabytes === 256)
  const { renderer, limits } = rendererOf(() => outcome)
  expect(await renderer.canDraw(unit, logo)).toBe(can)
  // A process that takes more is ended at once, as its picture is refused anyway.
  expect(limits[0]?.cpuMs).toBe(mostOfPicture.cpuMs)
})

test('an agency’s many pictures are proved one at a time, and delay no other agency’s', async () => {
  const begun: (() => void)[] = []
  const { renderer } = rendererOf(() => new Promise(done => begun.push(() => done(drawn))))
  const many = Array.from({ length: mostWaitingProofs + 1 }, () => renderer.canDraw(unit, logo))
  expect(begun).toHaveLength(1)
  await expect(renderer.canDraw(unit, logo)).rejects.toMatchObject({ code: 'service.unavailable' })
  const others = [1, 2].map(() => renderer.canDraw(demoScope('rotta').businessUnitId, logo))
  for (const other of others) {
    expect(begun).toHaveLength(2)
    begun.pop()?.()
    expect(await other).toBe(true)
  }
  for (const one of many) {
    expect(begun).toHaveLength(1)
    begun.pop()?.()
    expect(await one).toBe(true)
  }
})

test('a stopped renderer rejects all who wait for a proof', async () => {
  const { renderer } = rendererOf(() => new Promise(() => undefined))
  const heard: string[] = []
  for (let index = 0; index < 3; index++) renderer.canDraw(unit, logo).catch((error: Error) => heard.push(error.message))
  renderer.stop()
  await new Promise(setImmediate)
  expect(heard).toEqual(['the renderer is stopped', 'the renderer is stopped'])
})
