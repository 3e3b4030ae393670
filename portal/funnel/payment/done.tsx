import { Link, useNavigate } from '@tanstack/react-router'
import { languageOf } from '#common/kit/locales.ts'
import type { ManyTrips } from '#common/quotes/rating/many-trips.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Button, buttonLook } from '#portal/kit/ui/button.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { useWords } from '#portal/kit/words.tsx'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { newSale } from '../sale.ts'
import { type Sold, useFunnel } from '../store.ts'
import { CoverTimeline } from './cover-timeline.tsx'
import { PolicyDocuments } from './documents.tsx'

/** The sold policy: its number to read out, its documents, and the next actions. */
export function Done({ many, done }: { many: ManyTrips | undefined; done: Sold }) {
  const { words, locale } = useWords()
  const { policyData } = done
  const { date, money } = useFormat()
  const navigate = useNavigate()
  const hasCancellation = Boolean(useFunnel(({ bought }) => bought?.asked.insurancedAmount))
  const startNext = (copy: boolean) => {
    if (copy)
      useFunnel.setState({
        step: 1,
        bought: undefined,
        policyUuid: undefined,
        policyVersion: undefined,
        takenUp: undefined,
        agreedTotal: undefined,
        clientLocale: undefined,
        channel: 'counter',
        asksToBegin: false,
      })
    else newSale()
    void navigate({ to: '/funnel', search: { step: '1' } })
  }
  const copy = () =>
    void navigator.clipboard
      .writeText(policyData.policyNumber)
      .then(() => showToast({ severity: 'success', summary: words('payments.number_copied') }))
  const showsCommission = useShowsCommission()
  const [from, to] = [date(policyData.startDate), date(policyData.endDate)]
  const covered = many
    ? [
        words('funnel.line.term', { from, to, months: many.months }),
        many.zone[languageOf(locale)],
        words('funnel.line.many', { tripDays: many.days ?? 0 }),
      ]
    : [`${from} – ${to}`]
  return (
    <Card className="max-w-2xl">
      <div role="status" className="grid gap-2">
        <p className="flex items-center gap-2 font-semibold text-success">
          <Icon name="check-circle" className="size-5" /> {words('funnel.done.number')}
        </p>
        <p data-policy-number className="text-2xl font-bold tracking-wide">
          {policyData.policyNumber}
        </p>
        <p className="text-quiet">
          {[policyData.policyTaker, policyData.productName, ...covered, money(policyData.total, policyData.currency)].join(' · ')}
        </p>
        {showsCommission && typeof policyData.commission === 'number' && (
          <p className="font-medium">{words('funnel.done.commission', { amount: money(policyData.commission, policyData.currency) })}</p>
        )}
      </div>
      <CoverTimeline startDate={policyData.startDate} endDate={policyData.endDate} many={many} hasCancellation={hasCancellation} />
      <PolicyDocuments done={done} />
      <div className="flex flex-wrap gap-2 border-t border-line pt-(--gap)">
        <Button icon="plus" onClick={() => startNext(false)}>
          {words('funnel.done.another')}
        </Button>
        <Button look="quiet" icon="copy" onClick={() => startNext(true)}>
          {words('funnel.done.copy')}
        </Button>
        <Link to="/policies" search={{ policy: policyData.policyUuid }} className={buttonLook('quiet')}>
          {words('funnel.done.open')}
        </Link>
        <Button look="quiet" onClick={copy}>
          {words('payments.copy_number')}
        </Button>
      </div>
    </Card>
  )
}
