import pg from 'pg'
import type { Change } from './changes.ts'

/** Hears of the changes of tables that committed transactions make, on whatever node. */
export type Listener = {
  heard(change: Change): void
  /** Called when changes may have been missed. */
  missed(): void
}

/**
 * Announces changes of tables to everything in memory that was read from them (decision 73). The statements themselves cause the announcements
 * (sql/connection.ts), so that no writer can forget one.
 */
export type Notices = {
  listen(listener: Listener): void
  /** True while each change of another node arrives at once. If false, memory must not be used. */
  areHeard(): boolean
  /** Begins to hear other nodes; until then, and after `stop`, they are not heard. `say` gets the reason if they cannot be heard. */
  start(say: (text: string, error?: unknown) => void): void
  stop(): Promise<void>
}

/** The part of the notices by which connections announce their own transactions. */
export type Announcer = {
  /** Returns the statement that announces changes to other nodes once its transaction commits, or undefined if there are none. */
  statementFor(changes: readonly Change[]): string | undefined
  /** Tells this node's listeners. Called when a commit has ended, whatever its outcome. */
  tell(changes: readonly Change[]): void
}

/** Connects the listeners of one process to the announcements of its own connections. */
export class Bus {
  readonly #listeners: Listener[] = []

  listen(listener: Listener): void {
    this.#listeners.push(listener)
  }

  tell(changes: readonly Change[]): void {
    for (const change of changes) for (const listener of this.#listeners) listener.heard(change)
  }

  missed(): void {
    for (const listener of this.#listeners) listener.missed()
  }
}

/** Returns the notices of the embedded database, which no other process can open. */
export function noticesInProcess(): { notices: Notices; announcer: Announcer } {
  const bus = new Bus()
  return {
    notices: { listen: listener => bus.listen(listener), areHeard: () => true, start() {}, stop: () => Promise.resolve() },
    announcer: { statementFor: () => undefined, tell: changes => bus.tell(changes) },
  }
}

export const channel = 'portolan'

/** Returns the statement by which PostgreSQL tells all that listen, when and only if the transaction commits. */
export const noticeOf = (changes: readonly Change[]): string =>
  `select ${changes.map(({ table, rows }) => `pg_notify('${channel}', ${pg.escapeLiteral(`${table} ${rows}`)})`).join(', ')}`

/** Reads a change from a notice. */
export function changeIn(payload: string): Change {
  const [table = '', rows = ''] = payload.split(' ')
  return { table, rows }
}
