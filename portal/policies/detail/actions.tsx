import { Link, useNavigate } from '@tanstack/react-router'
import { policyCan } from '#common/policies/states.ts'
import { Menu } from '#portal/kit/overlay/menu.tsx'
import { shortcuts } from '#portal/kit/shortcuts/shortcuts.ts'
import { Button, buttonLook, type ButtonLook } from '#portal/kit/ui/button.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { Keys } from '#portal/kit/shortcuts/keys.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import type { PolicyDetail } from '../policy-query.ts'
import { isSendable, lapsed } from '../price-until.tsx'

/** An action that leads to a new sale by its URL, or runs here. */
type Action = { label: string; isRisk?: true } & ({ search: { policy: string } | { copy: string } } | { keys?: string; run: () => void })

type Props = {
  detail: PolicyDetail
  /** Opens a desk for a change or an end of the policy. */
  onDesk: ((desk: AfterSaleDesk) => void) | undefined
  onSend: () => void
  onDelete: () => void
}

export type AfterSaleDesk = 'change' | 'cancel' | 'reinstate'

/** The actions that the policy's status and the user's permissions allow, the main one first. On a phone two are buttons and the others a menu. */
export function Actions({ detail, onDesk, onSend, onDelete }: Props) {
  const { words } = useWords()
  const navigate = useNavigate()
  const maySell = useMay('b2b-products-sell')
  const mayChange = useMay('b2b-policies-change')
  const { policy } = detail
  const { policyUuid } = policy
  const actions: Action[] = onDesk && mayChange ? afterSaleOf(detail, words, onDesk) : []
  const mayOnlyChangeContact = detail.can.some(({ only }) => only)
  if (maySell && policyCan('resume', policy))
    actions.push({ label: words(lapsed(policy) ? 'day.price_again' : 'day.resume'), search: { policy: policyUuid } })
  const sendKeys = maySell && policy.status === 'budgeted' ? `${shortcuts.offer} ${shortcuts.mail}` : shortcuts.mail
  if (isSendable(policy)) actions.push({ label: words('policies.send'), keys: sendKeys, run: onSend })
  if (onDesk && mayOnlyChangeContact)
    actions.push({ label: words('policies.change_contact'), keys: shortcuts.change, run: () => onDesk('change') })
  if (maySell && policyCan('copy', policy)) actions.push({ label: words('policies.copy'), search: { copy: policyUuid } })
  if (maySell && policyCan('delete', policy)) actions.push({ label: words('policies.delete'), isRisk: true, run: onDelete })
  const shown = actions.toSorted((a, b) => Number(a.isRisk ?? false) - Number(b.isRisk ?? false))
  const hidden = shown.slice(2)
  return (
    <>
      {shown.map((action, index) => (
        <ActionButton
          key={action.label}
          action={action}
          look={action.isRisk ? 'risk' : index === 0 ? 'main' : 'quiet'}
          className={`${action.isRisk ? 'sm:ml-auto' : ''} ${index < 2 ? 'max-sm:flex-1' : 'max-sm:hidden'}`}
        />
      ))}
      {hidden.length > 0 && (
        <Menu
          label={words('policies.more')}
          items={hidden.map(action => ({
            label: action.label,
            danger: action.isRisk ?? false,
            onSelect: () => ('search' in action ? void navigate({ to: '/funnel', search: action.search }) : action.run()),
          }))}
        >
          {trigger => <IconButton {...trigger} icon="more" label={words('policies.more')} look="quiet" className="sm:hidden" />}
        </Menu>
      )}
    </>
  )
}

/** Returns the actions that the rules of changes allow on a sold policy now. */
function afterSaleOf({ can, openChange }: PolicyDetail, words: Words, onDesk: (desk: AfterSaleDesk) => void): Action[] {
  const may = (action: (typeof can)[number]['action']) => can.some(each => each.action === action && !each.only)
  const keys = shortcuts.change
  const actions: Action[] = []
  // A change that was offered waits for the client.
  if (openChange?.offeredTo === null)
    actions.push({ label: words('policies.pay'), keys, run: () => onDesk(openChange.kind === 'reinstatement' ? 'reinstate' : 'change') })
  if (may('change')) actions.push({ label: words('policies.change'), keys, run: () => onDesk('change') })
  if (may('reinstate')) actions.push({ label: words('policies.reinstate'), keys, run: () => onDesk('reinstate') })
  if (may('cancel')) actions.push({ label: words('policies.cancel'), keys: shortcuts.cancel, isRisk: true, run: () => onDesk('cancel') })
  return actions
}

function ActionButton({ action, look, className }: { action: Action; look: ButtonLook; className: string }) {
  if ('search' in action)
    return (
      <Link to="/funnel" search={action.search} className={`${buttonLook(look)} ${className}`}>
        {action.label}
      </Link>
    )
  const { label, keys, isRisk, run } = action
  const [shown] = keys?.split(' ') ?? []
  return (
    <Button aria-keyshortcuts={keys} look={look} onClick={run} className={className}>
      {label} {shown && !isRisk && <Keys keys={shown} className="max-sm:hidden" />}
    </Button>
  )
}
