import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the statements of docs/operations.md with which an administrator creates the roles for a user without CREATEROLE. */
export function administratorsSql(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../docs/operations.md'), 'utf8')
  const [, statements = ''] = /```sql\n([^`]*create role portolan_service[^`]*)```/.exec(page) ?? []
  return statements.split(';\n').filter(Boolean)
}
