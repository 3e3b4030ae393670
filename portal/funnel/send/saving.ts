import { toCents } from '#common/kit/money.ts'
import { registerPolicy } from '#common/policies/calls.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { whenWritten } from '#portal/kit/kept/encrypted-storage.ts'
import type { RequestSentOf } from '#common/kit/call.ts'
import { budgetFailure } from '../requests.ts'
import { useFunnel } from '../store.ts'

type Request = RequestSentOf<typeof registerPolicy>

/**
 * Saves the sale as a quote and stays in step 3, so that its documents can be sent before the sale. The purchase then replaces this quote. The
 * request is stored before it is sent: after a lost response or a reload, the next try finds the same quote.
 */
export async function saveInPlace(request: () => Request): Promise<string> {
  await settleSaving()
  useFunnel.setState({ saving: { asked: request(), key: crypto.randomUUID() } })
  try {
    return await finishSaving()
  } catch (error) {
    // The quote was deleted meanwhile, so the sale is saved as another one.
    if (budgetFailure(error) === 'funnel.buy.budget_gone') return saveInPlace(request)
    throw error
  }
}

/** Finds the outcome of an earlier save. A refused one saved nothing, and does not matter. */
export async function settleSaving(): Promise<void> {
  try {
    await finishSaving()
  } catch (error) {
    if (useFunnel.getState().saving) throw error
  }
}

/** Sends the stored request, or sends it again if its outcome is unknown. Returns the quote's uuid. */
async function finishSaving(): Promise<string> {
  const { saving, policyUuid = '' } = useFunnel.getState()
  if (!saving) return policyUuid
  await whenWritten()
  // After a sign-out, in another unit or in a new sale, the response belongs to no open sale.
  const isCurrent = () => useFunnel.getState().saving?.key === saving.key
  try {
    const saved = await ask(registerPolicy, saving.asked, { idempotencyKey: saving.key })
    if (isCurrent())
      useFunnel.setState({
        saving: undefined,
        policyUuid: saved.policyUuid,
        policyVersion: saved.version,
        agreedTotal: toCents(saved.total),
      })
    return saved.policyUuid
  } catch (error) {
    if (isCurrent() && error instanceof Refused && !error.mayChange) useFunnel.setState({ saving: undefined })
    throw error
  }
}
