import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { locales } from '#common/kit/locales.ts'
import { classInWords } from '#common/privacy/classes.ts'
import { admin } from '#server/administration/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { sellerOf } from '#server/policies/testing.ts'
import { columns, processingRecord } from './registry.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

const ask = (headers: Record<string, string>) => app.ask('/api/privacy/record', { body: {}, headers })

test('the record has each column of personal data in the registry, in its class', async () => {
  const { headers } = await admin(app)
  const { classes }: typeof processingRecord = (await ask(headers)).body.data
  const listed = classes.flatMap(({ class: of, tables }) =>
    tables.flatMap(({ name, columns: own }) => own.map(column => `${of} ${name}.${column}`)),
  )
  const expected = Object.entries(columns).flatMap(([name, own]) =>
    Object.entries(own).flatMap(([of, names]) => (of === 'none' ? [] : names.split(' ').map(column => `${of} ${name}.${column}`))),
  )
  expect(listed.toSorted()).toEqual(expected.toSorted())
  expect(classes.find(({ class: of }) => of === 'copy')?.files).toEqual(['copy'])
})

test('the record is for the administration alone', async () => {
  expect((await ask((await sellerOf(app)).headers)).status).toBe(403)
  expect((await ask({})).status).toBe(401)
})

test.each(locales)('each class has its own message in %s', locale => {
  const words = app.world.words(locale)
  for (const id of ['record.name', 'record.held', 'record.purpose'] as const) {
    const texts = processingRecord.classes.map(({ class: of }) => words(id, { class: classInWords(of) }))
    expect(new Set(texts).size).toBe(texts.length)
  }
})

/** `npm test -- server/privacy/record -u` updates the page. */
test('the record in docs agrees with the registry and the messages', async () => {
  const words = app.world.words('en-EN')
  const code = (name: string) => `\`${name}\``
  const line = (label: string, text: string) => `- ${label}: ${text}`
  const { classes, times } = processingRecord
  const parts = classes.flatMap(({ class: of, tables, files }) => {
    const name = { class: classInWords(of) }
    return [
      '',
      `## ${words('record.name', name)}`,
      '',
      line(words('record.held_label'), words('record.held', name)),
      line(words('record.purpose_label'), words('record.purpose', name)),
      line(words('record.people_label'), words('record.people', name)),
      line(words('record.recipients_label'), words('record.recipients', name)),
      line(words('record.kept_label'), words('record.kept', { ...name, ...times })),
      ...(tables.length > 0 ? [`- ${words('record.columns_label')}:`] : []),
      ...tables.map(table => `  - ${code(table.name)}: ${table.columns.map(code).join(', ')}`),
      ...(files.length > 0 ? [line(words('record.files_label'), files.map(code).join(', '))] : []),
    ]
  })
  const page = ['# Record of processing', '', words('record.intro'), words('record.protection'), ...parts, ''].join('\n')
  await expect(page).toMatchFileSnapshot(join(import.meta.dirname, '../../docs/record-of-processing.md'))
})
