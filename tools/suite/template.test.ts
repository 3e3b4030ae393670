import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../processes.ts'
import { keyOf, templateSources } from './template.ts'

test('the template depends on migrations, seeds, catalogue, their code and packages', () => {
  expect(templateSources()).toEqual(
    expect.arrayContaining([
      'catalogue/products/ANN.json',
      'common/kit/dates.ts',
      'package-lock.json',
      'server/database/migrations/0001-ground.sql',
      'server/database/prepare.ts',
      'server/geography/packages.ts',
      'server/geography/places/cities-ES.tsv.gz',
      'server/kit/store/testing-copies.ts',
      'server/session/seed.ts',
      'tools/suite/build-template.ts',
    ]),
  )
})

test('the template does not depend on features and tests', () => {
  expect(templateSources().filter(file => /\.test\.ts$|^server\/(app|policies|tickets)/.test(file))).toEqual([])
})

test('the key changes with the content of a file and with its name', () => {
  const folder = mkdtempSync(join(root, '.cache/template-key-'))
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return keyOf([relative(root, join(folder, name))])
  }
  try {
    const keys = [write('a', 'one'), write('a', 'two'), write('b', 'two')]
    expect(new Set(keys).size).toBe(3)
    expect(write('a', 'one')).toBe(keys[0])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
