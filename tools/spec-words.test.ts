import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { permissions } from '#common/kit/permissions.ts'

const english = (room: string): string => readFileSync(join(import.meta.dirname, `../common/locales/${room}/en-EN.po`), 'utf8')

test.each([
  ['lost', 'Page Not Found: {path}'],
  ['shell', 'Oops! Something went wrong.'],
  ['shell', 'Error: {message}'],
  ['shell', 'Go Back Home'],
  ['refusal', 'Insufficient Permissions'],
  ['ui', 'The response is not a valid file.'],
])('the English text of %s equals that of the specification: %s', { tags: ['S2.14', 'S2.20', 'S8.3'] }, (room, words) =>
  expect(english(room)).toContain(`msgstr "${words}"`),
)

test('messages name the permissions as the specification does', { tags: 'S6.1' }, () =>
  expect(permissions).toEqual(
    expect.arrayContaining([
      'b2b-admin',
      'b2b-access',
      'b2b-products-view',
      'b2b-products-sell',
      'b2b-policies-sold-view',
      'b2b-policies-draft-view',
      'b2b-agency-view',
      'b2b-agency-update',
      'b2b-users-view',
      'b2b-users-update',
    ]),
  ),
)
