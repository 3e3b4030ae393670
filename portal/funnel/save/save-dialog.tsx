import { Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { registerPolicy } from '#common/policies/calls.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { errorLines, refusedFields } from '#portal/kit/errors/error-message.ts'
import { ask } from '#portal/kit/ask.ts'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { focusFirstProblem } from '#portal/kit/form/focus.ts'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { queries } from '#portal/kit/queries.ts'
import { Button, buttonLook } from '#portal/kit/ui/button.tsx'
import { Failure } from '#portal/kit/errors/failure.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { peopleSoFar, policyholderName, problemsHash } from '../people-form.ts'
import { newSale } from '../sale.ts'
import { useFunnel } from '../store.ts'
import { budgetFailure, registerRequest } from '../requests.ts'
import { settleSaving } from '../send/saving.ts'

const longestReference = 80

type Props = {
  product: Product
  /** Opens the dialog that sends the saved quote. */
  sends?: boolean
  onClose: () => void
}

/** Asks for the agency's reference, by which the quote is found later. Enter saves, even without one. */
export function SaveDialog({ product, sends = false, onClose }: Props) {
  const { words } = useWords()
  const navigate = useNavigate()
  const { suggested, policyholder } = useSuggestion()
  const [reference, setReference] = useState(suggested)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ text: string; isOfPeople: boolean }>()
  // Enter may repeat before the button is busy.
  const isSaving = useRef(false)
  const once = useIdempotencyKey()
  const replaced = useFunnel(({ policyUuid, takenUp }) => (policyUuid && takenUp?.mode === 'resume' ? takenUp : undefined))
  async function save(asNew = false) {
    if (isSaving.current) return
    isSaving.current = true
    setBusy(true)
    setFailure(undefined)
    try {
      // The sale may already be saved, to be sent.
      await settleSaving()
      if (asNew) useFunnel.setState({ policyUuid: undefined, policyVersion: undefined, takenUp: undefined, agreedTotal: undefined })
      const request = registerRequest(product, { saveBudget: true, buReference: reference.trim() || null })
      const { policyUuid, version } = await once(request, idempotencyKey => ask(registerPolicy, request, { idempotencyKey }))
      await queries.invalidateQueries({ queryKey: ['policies'] })
      useFunnel.setState({ policyUuid, policyVersion: version })
      showToast({ severity: 'success', summary: words('funnel.saved') })
      newSale()
      await navigate({ to: '/policies/saved', search: { policy: policyUuid, ...(sends && { desk: 'send' }) } })
    } catch (error) {
      const ofBudget = budgetFailure(error)
      const text = ofBudget ? words(ofBudget) : errorLines(error, words)
      setFailure({ text, isOfPeople: refusedFields(error).some(({ path }) => path.startsWith('users')) })
    } finally {
      isSaving.current = false
      setBusy(false)
    }
  }
  function leaveForPeople() {
    onClose()
    useFunnel.setState({ step: 2 })
    // If the fields are already on the screen, the link leads nowhere.
    requestAnimationFrame(() => focusFirstProblem())
  }
  return (
    <Dialog
      open
      size={replaced ? 'medium' : 'small'}
      onClose={onClose}
      busy={busy}
      title={words('funnel.save_budget')}
      actions={
        <>
          <Button look="quiet" aria-disabled={busy} onClick={() => busy || onClose()}>
            {words('ui.cancel')}
          </Button>
          {replaced && (
            <Button look="quiet" aria-disabled={busy} onClick={() => void save(true)}>
              {words('funnel.save_as_new')}
            </Button>
          )}
          <Button icon="bookmark" busy={busy} onClick={() => void save()}>
            {words(sends ? 'quote.send' : 'funnel.save_now')}
          </Button>
        </>
      }
    >
      {replaced && <p>{words('funnel.save_replaces', { policyholder: replaced.taker || words('funnel.take_up.unnamed') })}</p>}
      <TextField
        data-first
        label={words('funnel.save_reference')}
        hint={words('funnel.save_reference_hint')}
        name="buReference"
        autoComplete="off"
        maxLength={longestReference}
        placeholder={policyholder}
        value={reference}
        onChange={event => setReference(event.target.value)}
        onFocus={event => event.target.select()}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          // The dialog is inside the form of its step, which Enter would send.
          event.preventDefault()
          void save()
        }}
      />
      <Failure>{failure?.text}</Failure>
      {failure?.isOfPeople && (
        // Their fields are not on every page with this dialog.
        <Link
          to="/funnel"
          search={{ step: '2' }}
          hash={problemsHash}
          onClick={leaveForPeople}
          className={`${buttonLook('quiet')} justify-self-start`}
        >
          {words('funnel.step2')}
        </Link>
      )}
    </Dialog>
  )
}

/** Returns the reference of step 2. If the quote has neither that nor a policyholder, suggests the destinations. */
function useSuggestion(): { suggested: string; policyholder: string } {
  const { trip, people } = useFunnel()
  const { list } = useFormat()
  const { countriesList } = useUnit().configuration
  const policyholder = trip ? policyholderName(people, trip) : ''
  const reference = (trip && peopleSoFar(people, trip).insuranceData?.trim()) ?? ''
  if (reference || policyholder) return { suggested: reference, policyholder }
  const places = (trip?.mainDestination ?? []).flatMap(id => countriesList.find(country => country.id === id)?.name ?? [])
  return { suggested: list(places).slice(0, longestReference), policyholder }
}
