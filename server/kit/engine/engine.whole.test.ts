import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Engine, startEngine } from './engine.ts'

let engine: Engine
beforeAll(async () => {
  engine = await startEngine({ memory: true })
})
afterAll(() => engine.close())

/** A simple query, as a client sends it. */
const queryOf = (text: string) => {
  const message = Buffer.from(`Q\0\0\0\0${text}\0`)
  message.writeUInt32BE(message.length - 1, 1)
  return message
}
const ask = async (text: string) => Buffer.from(await engine.exec(queryOf(text))).toString('latin1')

test('a response comes whole, an error too, and one does not overwrite another', async () => {
  const [ones, twos] = [await engine.exec(queryOf(`select repeat('1', 200000)`)), await ask(`select repeat('2', 200000)`)]
  expect(
    Buffer.from(ones)
      .toString('latin1')
      .match(/1{200000}/),
  ).not.toBeNull()
  expect(twos).toMatch(/2{200000}/)
  expect(await ask('select 1/0')).toMatch(/22012.*Z\0\0\0\x05I$/s)
  expect(await ask('')).toMatch(/^I\0\0\0\x04Z/)
})

test('no part of a response stays in memory', async () => {
  setFlagsFromString('--expose-gc')
  // Safe: the flag makes it.
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  for (let count = 0; count < 100; count++) await engine.exec(queryOf(`select repeat('x', 1000000)`))
  expect((used() - before) / 1e6).toBeLessThan(30)
})
