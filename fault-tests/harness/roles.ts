import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The statements of docs/operations.md for a server's administrator: roles made and granted beforehand, to a user without CREATEROLE. */
export function administratorsSql(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
  const [, statements = ''] = /```sql\n([^`]*create role portolan_service[^`]*)```/.exec(page) ?? []
  return statements.split(';\n').filter(Boolean)
}
