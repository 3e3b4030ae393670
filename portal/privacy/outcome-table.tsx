import type { Outcome } from '#common/privacy/outcome.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Table } from '#portal/kit/list/table.tsx'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { placeName } from './person.ts'

type Item = Outcome['items'][number]

const tones = {
  erased: 'success',
  blocked: 'success',
  kept: 'warning',
  refused: 'danger',
  copied: 'success',
  mended: 'success',
  unchanged: 'neutral',
} as const

/** The effect on each item, and its reason. */
export function OutcomeTable({ outcome, caption }: { outcome: Outcome | undefined; caption: string }) {
  const { words } = useWords()
  const { date } = useFormat()
  const outcomeOf = (what: Item['outcome']) => <State tone={tones[what]}>{words('privacy.outcome', { outcome: what })}</State>
  const because = ({ because: why, note }: Item) => [words('privacy.because', { because: why }), note].filter(Boolean).join(' · ')
  const columns: Column<Item>[] = [
    { key: 'what', head: words('privacy.column_what'), cell: item => placeName(item, words) },
    {
      key: 'outcome',
      head: words('privacy.column_outcome'),
      cell: item => outcomeOf(item.outcome),
    },
    { key: 'because', head: words('privacy.column_because'), cell: because },
    { key: 'erased', head: words('privacy.column_erased'), cell: ({ erasedOn }) => (erasedOn ? date(erasedOn) : '—') },
  ]
  return (
    <>
      <Table caption={caption} columns={columns} rows={outcome?.items} keyOf={({ uuid }) => uuid} expected={3} />
      {outcome && outcome.mails > 0 && <p className="text-sm text-quiet">{words('privacy.other_mails', { count: outcome.mails })}</p>}
    </>
  )
}
