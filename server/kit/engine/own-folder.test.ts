import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFolder } from '#server/kit/store/folder-lock.ts'
import { ownFolder } from './own-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** True if another process could take the folder. */
const isFree = (): boolean => {
  lockFolder(folder).release()
  return true
}

test('a folder is free again if its engine cannot start', async () => {
  writeFileSync(join(folder, 'postgres'), 'a file in place of the folder')
  const { engine } = await ownFolder(folder, () => {})
  await expect(engine).rejects.toThrow('EEXIST')
  expect(isFree()).toBe(true)
})

test('a folder is free again, and no engine starts, if the step before it fails', async () => {
  const taken = () => {
    expect(() => lockFolder(folder)).toThrow('is in use by process')
    throw new Error('the port is taken')
  }
  await expect(ownFolder(folder, taken)).rejects.toThrow('the port is taken')
  expect(isFree()).toBe(true)
})
