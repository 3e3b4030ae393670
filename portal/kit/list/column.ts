import type { ReactNode } from 'react'

export type Column<Row> = {
  key: string
  head: string
  cell: (row: Row) => ReactNode
  /** The usual number of characters in a cell. It sets the column's width before the rows arrive, so that its heading does not move. */
  wide?: number
  sortable?: boolean
  align?: 'end'
  /** Hides the column in tables narrower than this many rem, but not in cards. A table never scrolls sideways, so that its last columns are whole. */
  hide?: 48 | 64 | 72 | 80
  /** Hides the heading of a column of buttons; screen readers still read it. */
  hideHead?: boolean
}

/** The sort order in the format of calls (spec 3, sortCriteria). */
export type Sort = { key: string; order: 'asc' | 'desc' }

/** The selected rows. `nameOf` labels the checkbox of a row. `started` shows the checkboxes on a phone before the first row is selected. */
export type Selection<Row> = {
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  nameOf: (row: Row) => string
  started?: boolean
}

/** A row on a phone: two lines, each with a value at its end. */
export type Lines = { title: ReactNode; end: ReactNode; detail: ReactNode; state: ReactNode }

/** The totals of the whole list: its label, the sums by column, and the one that a phone shows. */
export type Foot = { label: ReactNode; sums: { [column: string]: ReactNode }; end: ReactNode }
