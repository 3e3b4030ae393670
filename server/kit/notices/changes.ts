import {
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type CompiledQuery,
  type OperationNode,
  OperatorNode,
  ReferenceNode,
  ValueNode,
} from 'kysely'

/** A change of a table. `rows` names its rows as `column=value`, or is empty if any row may have changed. */
export type Change = { table: string; rows: string }

type Announced = {
  /** The columns by which a change can name its rows. They hold UUIDs. */
  keys: string[]
  /** Columns whose changes are not announced, because no listener remembers them. */
  unheard: string[]
  /** True if a new row changes nothing that a listener remembers. */
  newIsUnheard: boolean
}

/** The tables whose changes are announced to all nodes (decision 73): those that a session is read from (server/session/queries.ts). */
export const announced: Record<string, Announced> = {
  sessions: { keys: ['id', 'user_id'], unheard: ['last_seen_at'], newIsUnheard: true },
  users: { keys: ['id'], unheard: ['last_sign_in_at', 'password_hash'], newIsUnheard: true },
  memberships: { keys: ['user_id'], unheard: [], newIsUnheard: false },
  business_units: { keys: [], unheard: [], newIsUnheard: true },
  second_factors: { keys: ['user_id'], unheard: ['last_step', 'secret', 'sealed_by'], newIsUnheard: false },
}

/** Matches each announced table that a statement writes, in any form. */
const writes = new RegExp(
  `\\b(?:update|into|delete\\s+from|truncate|copy)\\s+(?:table\\s+)?(?:only\\s+)?(?:"?public"?\\.)?"?(${Object.keys(announced).join('|')})\\b`,
  'gi',
)

/** The number of texts to remember. If there are more, many are composed per request. */
const mostTexts = 1000
const known = new Map<string, readonly string[]>()

function tablesWritten(text: string): readonly string[] {
  const before = known.get(text)
  if (before) return before
  const tables = [...new Set([...text.matchAll(writes)].map(([, table]) => String(table).toLowerCase()))]
  if (known.size >= mostTexts) known.clear()
  known.set(text, tables)
  return tables
}

const none: readonly Change[] = []

/**
 * Returns the announced changes that a statement makes. Kysely's statements say which rows and columns they change; of any other text only the tables
 * are known, and then any row may have changed.
 */
export function changesOf({ query, sql }: CompiledQuery): readonly Change[] {
  if (query.kind === 'SelectQueryNode' && !query.with) return none
  const tables = tablesWritten(sql)
  if (tables.length === 0) return none
  const any = tables.map(table => ({ table, rows: '' }))
  const [table = ''] = tables
  const rules = announced[table]
  if (!rules || tables.length > 1 || ('with' in query && query.with)) return any
  if (query.kind === 'InsertQueryNode') return rules.newIsUnheard && !query.onConflict ? none : any
  if (query.kind === 'DeleteQueryNode') return query.using || query.joins ? any : rowsOf(table, rules, query.where?.where)
  if (query.kind !== 'UpdateQueryNode' || !query.updates || query.from || query.joins) return any
  const columns = query.updates.map(({ column }) => (ColumnNode.is(column) ? column.column.name : ''))
  if (columns.every(column => rules.unheard.includes(column))) return none
  return columns.some(column => column === '' || rules.keys.includes(column)) ? any : rowsOf(table, rules, query.where?.where)
}

const rowsOf = (table: string, { keys }: Announced, condition: OperationNode | undefined): Change[] => [
  { table, rows: namedBy(keys, condition) ?? '' },
]

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns `column=value` if the condition only holds for rows with that value of a key. */
function namedBy(keys: string[], condition: OperationNode | undefined): string | undefined {
  if (!condition) return undefined
  if (AndNode.is(condition)) return namedBy(keys, condition.left) ?? namedBy(keys, condition.right)
  if (!BinaryOperationNode.is(condition)) return undefined
  const { leftOperand, operator, rightOperand } = condition
  if (!ReferenceNode.is(leftOperand) || !ColumnNode.is(leftOperand.column)) return undefined
  if (!OperatorNode.is(operator) || operator.operator !== '=' || !ValueNode.is(rightOperand)) return undefined
  const column = leftOperand.column.column.name
  const { value } = rightOperand
  // PostgreSQL also takes other spellings of a UUID, and no listener would know the row by them.
  return keys.includes(column) && typeof value === 'string' && uuid.test(value) ? `${column}=${value.toLowerCase()}` : undefined
}
