import { expect, test } from 'vitest'
import { disposition } from './download.ts'

test('the header has the name in its own script, and a plain one', () => {
  expect(disposition('attachment', 'Pólizas.xlsx')).toBe(`attachment; filename="Polizas.xlsx"; filename*=UTF-8''P%C3%B3lizas.xlsx`)
  expect(disposition('inline', '証明書.pdf')).toBe(`inline; filename="___.pdf"; filename*=UTF-8''%E8%A8%BC%E6%98%8E%E6%9B%B8.pdf`)
})

test('characters that could break a header or leave a folder are replaced', () => {
  for (const name of ['a"b.pdf', 'a\r\nSet-Cookie: x=1', '../../etc/passwd', 'a;b', "it's (1)*.pdf", 'a\u202efdp.exe'])
    expect(disposition('attachment', name)).toMatch(/^attachment; filename="[^"\\/\r\n%;]*"; filename\*=UTF-8''[\w%.!~-]*$/)
})
