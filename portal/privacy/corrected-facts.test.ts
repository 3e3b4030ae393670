import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { locales } from '#common/kit/locales.ts'
import { personFieldsWhere } from '#common/people/person.ts'

const folder = join(import.meta.dirname, '../../common/locales/privacy')
const corrected = personFieldsWhere('corrected', true).filter(field => field !== 'birthDate')

test.each(locales)('in %s, each correctable fact has a label of its own', locale => {
  const text = /msgid "privacy\.fact"\nmsgstr "(.*)"/.exec(readFileSync(join(folder, `${locale}.po`), 'utf8'))?.[1] ?? ''
  const labels = [...text.matchAll(/(\w+) \{([^{}]+)\}/g)]
  expect(new Set(labels.map(([, name]) => name))).toEqual(new Set<string | undefined>(corrected))
  expect(new Set(labels.map(([, , label]) => label)).size).toBe(labels.length)
})
