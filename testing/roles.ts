import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the statements with which an administrator creates the roles (docs/operations.md). They are for a user without CREATEROLE. */
export function administratorsSql(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../docs/operations.md'), 'utf8')
  const [, statements = ''] = /```sql\n([^`]*create role portolan_service[^`]*)```/.exec(page) ?? []
  return statements.split(';\n').filter(Boolean)
}
