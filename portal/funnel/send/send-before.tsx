import { useId, useState } from 'react'
import { toCents } from '#common/kit/money.ts'
import { isSameTrip } from '#common/quotes/same-trip.ts'
import { MissingPart } from '#portal/kit/errors/load-error.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { later } from '#portal/kit/page/later.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import type { PolicyDetail } from '#portal/policies/policy-query.ts'
import type { Product } from '#portal/products/store.ts'
import { useMay } from '#portal/session/session.ts'
import { policyholderName } from '../people-form.ts'
import { registerRequest } from '../requests.ts'
import { choiceOf } from '../trip-request.ts'
import { savedChoice, useSavedQuote } from '../resume/saved-quote.ts'
import { type TripForm, useFunnel } from '../store.ts'
import { saveInPlace } from './saving.ts'

const [SendDialog, loadDialog] = later(async () => {
  const [{ SendDialog }] = await Promise.all([import('#portal/policies/send/send-dialog.tsx'), loadMessages('policies')])
  return SendDialog
})

/**
 * `total` is in cents; undefined while there is no price to send: `onLack` then focuses the missing input, which `lack` names. `isUnderWay`: the
 * purchase has begun.
 */
type Props = {
  product: Product
  trip: TripForm
  total: number | undefined
  isUnderWay: boolean
  lack: string | undefined
  onLack: () => void
}

/** Emails the quote with its documents before the client's declaration. Shows what was sent, to whom and when. */
export function SendBefore({ product, trip, total, isUnderWay, lack, onLack }: Props) {
  const { words } = useWords()
  const maySend = useMay('b2b-policies-draft-view')
  const saved = useSavedQuote({ followsMails: true })
  const { data } = saved
  const [open, setOpen] = useState(false)
  const lackId = useId()
  const mails = data?.mails ?? []
  if (!maySend) return null
  const isOutdated =
    data !== undefined &&
    mails.length > 0 &&
    (toCents(data.price.total) !== total || !isSameTrip(savedChoice(data), choiceOf(product, trip)))
  return (
    <div className="grid gap-2">
      {saved.isError && !data && <MissingPart of={saved} title={words('funnel.before.failed')} />}
      <div role="status" className="grid gap-2 empty:hidden">
        {mails.length > 0 && (
          <ul className="grid gap-2">
            {mails.map(mail => (
              <SentMail key={mail.uuid} mail={mail} />
            ))}
          </ul>
        )}
        {isOutdated && <p className="text-sm text-warning">{words('funnel.before.outdated')}</p>}
      </div>
      {!isUnderWay && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Button
            look="quiet"
            icon="mail"
            aria-disabled={total === undefined}
            aria-describedby={lackId}
            onPointerEnter={loadDialog}
            onFocus={loadDialog}
            onClick={() => (total === undefined ? onLack() : setOpen(true))}
          >
            {words('funnel.before.send')}
          </Button>
          <p id={lackId} className="min-w-0 text-sm text-quiet empty:hidden">
            {lack}
          </p>
        </div>
      )}
      {open && <SendSale product={product} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** The dialog for sending a saved quote. Here the sale is saved when it is sent, in the client's language. */
function SendSale({ product, onClose }: { product: Product; onClose: () => void }) {
  const { words } = useWords()
  const { sale, trip, people } = useFunnel()
  const email = people?.email?.trim() ?? ''
  const row = {
    // The quote's own id is known once it is saved.
    policyUuid: `sale ${sale}`,
    policyNumber: '',
    policyTaker: trip ? policyholderName(people, trip) : '',
    buReference: '',
    productName: product.name,
    status: 'budgeted' as const,
  }
  return (
    <SendDialog
      rows={[row]}
      to={email}
      holder={email}
      save={() => saveInPlace(() => registerRequest(product, { saveBudget: true }))}
      onClose={onClose}
    >
      <p className="text-sm text-quiet">{words('funnel.before.attached')}</p>
    </SendDialog>
  )
}

function SentMail({ mail: { at, to, state, reason, files } }: { mail: PolicyDetail['mails'][number] }) {
  const { words } = useWords()
  const { list, moment } = useFormat()
  // Safe: the service has no other states of an email.
  const { icon, look, label } = states[state as keyof typeof states]
  return (
    <li className="flex gap-2">
      <Icon name={icon} className={`mt-0.5 size-4 ${look}`} />
      <span className="min-w-0 break-words">
        {words(label, { to, at: moment(at) })}
        <span className="block text-sm text-quiet">{reason ?? list(files.map(name => name.replace(/\.pdf$/, '')))}</span>
      </span>
    </li>
  )
}

const states = {
  queued: { icon: 'mail', look: 'text-quiet', label: 'funnel.before.mail_queued' },
  sent: { icon: 'check-circle', look: 'text-success', label: 'funnel.before.mail_sent' },
  refused: { icon: 'alert-circle', look: 'text-danger', label: 'funnel.before.mail_refused' },
  withdrawn: { icon: 'x', look: 'text-quiet', label: 'funnel.before.mail_dropped' },
} as const
