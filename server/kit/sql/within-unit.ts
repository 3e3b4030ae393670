import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  type DeleteQueryNode,
  type InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  OperatorNode,
  PrimitiveValueListNode,
  RawNode,
  ReferenceNode,
  type SelectQueryNode,
  TableNode,
  type UpdateQueryNode,
  ValueNode,
  ValuesNode,
  type WithNode,
} from 'kysely'

/** A query that would read or write rows of other units. */
class OutsideUnit extends Error {
  constructor(what: string) {
    super(`a query reaches outside its unit: ${what}`)
  }
}

/**
 * Refuses queries that left their unit after `UnitTransaction` had begun them: a cleared condition, rows given a second time, a subquery of its own.
 * Kysely's types cannot refuse them, because each call of a chain returns the complete builder. Joined tables and raw SQL are not judged.
 * `passed` holds the queries that were checked before, which may be parts of others; `shared` is the one table that has no unit.
 */
export function keepWithin(unit: string, passed: WeakSet<OperationNode>, shared?: string): KyselyPlugin {
  function check(node: OperationNode, derived: ReadonlySet<string>): void {
    if (leaves.has(node.kind) || passed.has(node)) return
    const names = isQuery(node) && node.with ? withNames(node.with, derived) : derived
    if (isSelect(node)) for (const table of node.from?.froms ?? []) narrowed(table, node.where?.where, names)
    else if (isDelete(node)) for (const table of node.from.froms) narrowed(table, node.where?.where, names)
    else if (isUpdate(node)) narrowed(node.table, node.where?.where, names)
    else if (isInsert(node)) filled(node)
    // No list of children is made, since this runs for each part of each query.
    for (const key in node) {
      // Safe: a node has only its own keys.
      const part: unknown = node[key as keyof OperationNode]
      if (Array.isArray(part)) {
        for (const each of part) if (isNode(each)) check(each, names)
      } else if (key !== 'with' && isNode(part)) check(part, names)
    }
  }

  /** Checks the queries before the main one, each of which may select from those before it, and returns their names with the others. */
  function withNames({ expressions }: WithNode, derived: ReadonlySet<string>): ReadonlySet<string> {
    const names = new Set(derived)
    for (const { name, expression } of expressions) {
      check(expression, names)
      names.add(nameOf(name.table))
    }
    return names
  }

  function narrowed(from: OperationNode | undefined, where: OperationNode | undefined, names: ReadonlySet<string>): void {
    const table = from && AliasNode.is(from) ? from.node : from
    // The other kinds are subqueries, which are checked themselves, and raw SQL.
    if (!table || !TableNode.is(table)) return
    const name = nameOf(table)
    if (names.has(name) || name === shared) return
    const alias = from && AliasNode.is(from) && 'name' in from.alias ? from.alias.name : name
    const column = name === 'business_units' ? 'id' : unitColumn
    if (!where || !conditionsIn(where).some(each => isOwn(each, [undefined, alias], column))) throw new OutsideUnit(name)
  }

  function isOwn(condition: OperationNode, tables: unknown[], column: string): boolean {
    if (!BinaryOperationNode.is(condition)) return false
    const { operator, rightOperand: right } = condition
    const left = plain(condition.leftOperand)
    return (
      OperatorNode.is(operator) &&
      operator.operator === '=' &&
      ReferenceNode.is(left) &&
      left.column.kind === 'ColumnNode' &&
      left.column.column.name === column &&
      tables.includes(left.table && nameOf(left.table)) &&
      ValueNode.is(right) &&
      right.value === unit
    )
  }

  function filled({ into, columns, values }: InsertQueryNode): void {
    const index = columns?.findIndex(({ column }) => column.name === unitColumn) ?? -1
    const isFilled =
      values !== undefined &&
      ValuesNode.is(values) &&
      values.values.every(row => {
        const value: unknown = row.values[index]
        return (PrimitiveValueListNode.is(row) ? value : valueOf(value)) === unit
      })
    if (!isFilled) throw new OutsideUnit(into ? nameOf(into) : 'an insert')
  }

  return {
    transformQuery({ node }) {
      check(node, new Set())
      passed.add(node)
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
}

const unitColumn = 'business_unit_id'

type Query = SelectQueryNode | InsertQueryNode | UpdateQueryNode | DeleteQueryNode

const isSelect = (node: OperationNode): node is SelectQueryNode => node.kind === 'SelectQueryNode'
const isInsert = (node: OperationNode): node is InsertQueryNode => node.kind === 'InsertQueryNode'
const isUpdate = (node: OperationNode): node is UpdateQueryNode => node.kind === 'UpdateQueryNode'
const isDelete = (node: OperationNode): node is DeleteQueryNode => node.kind === 'DeleteQueryNode'
const isQuery = (node: OperationNode): node is Query => isSelect(node) || isInsert(node) || isUpdate(node) || isDelete(node)
const isNode = (value: unknown): value is OperationNode => typeof value === 'object' && value !== null && 'kind' in value

/** The commonest nodes that hold no query. */
const leaves = new Set<string>([
  'ValueNode',
  'PrimitiveValueListNode',
  'ReferenceNode',
  'TableNode',
  'ColumnNode',
  'OperatorNode',
  'IdentifierNode',
])

const valueOf = (value: unknown): unknown => (isNode(value) && ValueNode.is(value) ? value.value : undefined)
const nameOf = ({ table }: TableNode): string => table.identifier.name

/** Returns the conditions that must all be true. */
const conditionsIn = (node: OperationNode): OperationNode[] =>
  AndNode.is(node) ? [...conditionsIn(node.left), ...conditionsIn(node.right)] : [node]

/** Returns what a `sql.ref` wraps. */
function plain(node: OperationNode): OperationNode {
  const [only] = RawNode.is(node) && node.sqlFragments.join('') === '' ? node.parameters : []
  return only ?? node
}
