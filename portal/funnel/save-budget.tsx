import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { registerPolicy } from '#common/policies/calls.ts'
import { errorLines } from '#portal/kit/errors/error-lines.ts'
import { ask } from '#portal/kit/ask.ts'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { showAlert, showToast } from '#portal/kit/overlay/notices.ts'
import { queries } from '#portal/kit/queries.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { newSale } from './sale.ts'
import { useFunnel } from './store.ts'
import { leaveLostBudget, registerRequest } from './requests.ts'

/** Saves the sale as a quote, however little of it is known yet. */
export function SaveBudget({ product }: { product: Product }) {
  const { words } = useWords()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const once = useIdempotencyKey()
  async function save() {
    setBusy(true)
    try {
      const request = registerRequest(product, { saveBudget: true })
      const { policyUuid } = await once(request, idempotencyKey => ask(registerPolicy, request, { idempotencyKey }))
      await queries.invalidateQueries({ queryKey: ['policies'] })
      useFunnel.setState({ policyUuid })
      showToast({ severity: 'success', summary: words('funnel.saved') })
      newSale(product)
      await navigate({ to: '/policies/saved', search: { policy: policyUuid } })
    } catch (error) {
      showAlert({ mode: 'error', description: leaveLostBudget(error) ? words('funnel.buy.budget_gone') : errorLines(error, words) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button look="quiet" icon="bookmark" busy={busy} className="flex-1" onClick={() => void save()}>
      {words('funnel.save_budget')}
    </Button>
  )
}
