import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { narrowedToOwn } from '#common/kit/permissions.ts'
import { policySales } from '#common/policies/day-calls.ts'
import { useFormat } from '#portal/kit/format.ts'
import { later } from '#portal/kit/page/later.tsx'
import { loadingOf } from '#portal/kit/queries.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { permissionsNow, useMay } from '#portal/session/session.ts'

const [SalesFigures, loadFigures] = later(async () => (await import('./sales-figures.tsx')).SalesFigures)

/** The commissions of the month as one number, which opens a chart and figures of the last months. */
export function Earned() {
  const { words } = useWords()
  const { money } = useFormat()
  const [open, setOpen] = useState(false)
  const { data, isError, refetch } = useQuery({ queryKey: ['policies', 'sales'], ...loadingOf(policySales, {}) })
  const showsEarned = useMay('b2b-products-sell')
  const showsCommission = useShowsCommission()
  const thisMonth = data?.months.at(-1)
  if (!data || !thisMonth)
    return (
      isError && (
        <Button look="plain" icon="repeat" className="max-sm:hidden" onClick={() => void refetch()}>
          {words('policies.sales_failed')}
        </Button>
      )
    )
  const isEmpty = data.months.every(({ total }) => total === 0)
  if (isEmpty || (showsEarned && !showsCommission)) return null
  return (
    <>
      <Button
        look="plain"
        aria-haspopup="dialog"
        onPointerEnter={loadFigures}
        onFocus={loadFigures}
        onClick={() => setOpen(true)}
        className="font-normal! max-sm:hidden"
      >
        {words(!showsEarned ? 'policies.sales' : narrowedToOwn(permissionsNow()) ? 'policies.earned_own' : 'policies.earned')}
        <b className="font-semibold text-ink">{money(thisMonth.earned ?? thisMonth.total, data.currency)}</b>
      </Button>
      {open && <SalesFigures sales={data} onClose={() => setOpen(false)} />}
    </>
  )
}
