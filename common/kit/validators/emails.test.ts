import { expect, test } from 'vitest'
import { email } from './emails.ts'

const context = { locale: 'es-ES', today: '2026-11-20' } as const
const keyOf = (value: string) => email(value, context)?.key

test.each([
  ['jose@example.es', undefined],
  ['josé@example.es', 'validation.email_letters'],
  ['ana@españa.example', 'validation.email_letters'],
  ['josé', 'validation.email'],
  ['ana@example', 'validation.email'],
])('%s: %s', (value, key) => expect(keyOf(value)).toBe(key))
