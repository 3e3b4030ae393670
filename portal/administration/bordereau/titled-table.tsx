import { Table } from '#portal/kit/list/table.tsx'

/** A table with its caption as a heading, since one card has several. */
export function TitledTable<Row>(table: Parameters<typeof Table<Row>>[0]) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <h4 className="text-sm font-semibold">{table.caption}</h4>
      <Table {...table} />
    </section>
  )
}
