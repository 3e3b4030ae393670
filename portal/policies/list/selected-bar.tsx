import { policyCan } from '#common/policies/states.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useMay } from '#portal/session/session.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Row } from '../list-params.ts'

type Props = {
  rows: readonly Row[]
  onSend: () => void
  onExport: () => void
  onDelete: () => void
  onNone: () => void
  exporting: boolean
}

/** The actions on the selected rows. The bar stays visible while the list scrolls. */
export function SelectedBar({ rows, onSend, onExport, onDelete, onNone, exporting }: Props) {
  const { words } = useWords()
  const maySell = useMay('b2b-products-sell')
  if (rows.length === 0) return null
  return (
    <section
      aria-label={words('policies.selected', { count: rows.length })}
      className="sticky bottom-3 z-20 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-raised p-3 shadow-raised"
    >
      <p role="status" className="flex-1 font-medium whitespace-nowrap">
        {words('policies.selected', { count: rows.length })}
      </p>
      <Button look="quiet" icon="mail" disabled={!rows.some(row => policyCan('send', row))} onClick={onSend}>
        {words('policies.send')}
      </Button>
      <Button look="quiet" icon="download" busy={exporting} onClick={onExport}>
        {words('policies.export')}
      </Button>
      {maySell && rows.every(row => policyCan('delete', row)) && (
        <Button look="danger" icon="trash" onClick={onDelete}>
          {words('policies.delete')}
        </Button>
      )}
      <Button look="plain" icon="x" onClick={onNone}>
        {words('policies.select_none')}
      </Button>
    </section>
  )
}
