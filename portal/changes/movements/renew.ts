import { renewPolicy } from '#common/changes/calls.ts'
import { useNavigate } from '@tanstack/react-router'
import { toCents } from '#common/kit/money.ts'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { whileLoading } from '#portal/kit/overlay/loading.ts'
import { showAlert } from '#portal/kit/overlay/notices.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { useWords } from '#portal/kit/words.tsx'
import { policiesChanged } from '#portal/policies/policy-query.ts'

/** Returns a function that saves the next term as a quote, shows its price and what differs, and opens it. */
export function useRenew(policyUuid: string): () => Promise<void> {
  const { words } = useWords()
  const { cents, moment } = useFormat()
  const navigate = useNavigate()
  const once = useIdempotencyKey()
  return async () => {
    try {
      const asked = { policyUuid }
      const quote = await whileLoading(once(asked, idempotencyKey => ask(renewPolicy, asked, { idempotencyKey })))
      await policiesChanged()
      showAlert({
        title: words('changes.renewal.made', { total: cents(toCents(quote.total) ?? 0, quote.currency) }),
        description: [
          words('changes.renewal.until', { until: moment(quote.priceValidUntil) }),
          ...quote.differences.map(each => words('changes.was_is', each)),
        ].join('\n'),
        buttonTitle: words('changes.renewal.open'),
        buttonBehavior: () => navigate({ to: '/policies/saved', search: { policy: quote.policyUuid } }),
      })
    } catch (error) {
      alertError(error)
    }
  }
}
