import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { isAlive } from './ready.mjs'

test('an ended process whose parent ignores its end does not count as alive', async () => {
  // `exec` replaces the shell, which would have noticed the end, by a program that does not.
  const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [output] = await once(parent.stdout, 'data')
  await expect.poll(() => isAlive(Number(output))).toBe(false)
  expect(isAlive(parent.pid ?? 0)).toBe(true)
  const exit = once(parent, 'exit')
  parent.kill()
  await exit
  expect(isAlive(parent.pid ?? 0)).toBe(false)
})
