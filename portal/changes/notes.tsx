import type { Route } from '#common/changes/money.ts'
import { accountGateway } from '#common/changes/state.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Icon, type IconName } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { cardLabels } from './labels.ts'

/** A secondary line with an icon in front. */
export const Note = ({ icon, children }: { icon: IconName; children: string }) => (
  <p className="flex gap-2 text-sm text-quiet">
    <Icon name={icon} className="mt-0.5 size-4" /> <span>{children}</span>
  </p>
)

/** The routes of a refund, and when it leaves. */
export function Routes({ routes, currency, leaves }: { routes: readonly Route[]; currency: string; leaves: 'in_an_hour' | 'now' }) {
  const { words } = useWords()
  const { cents } = useFormat()
  // Several payments on account are one refund to the agency; each card gets its own.
  const account = routes.reduce((sum, { gateway, amount }) => (gateway === accountGateway ? sum + amount : sum), 0)
  const shown = [
    ...routes.filter(({ gateway }) => gateway !== accountGateway),
    ...(account > 0 ? [{ paymentUuid: null, gateway: accountGateway, amount: account }] : []),
  ]
  return (
    <ul className="grid gap-1">
      {shown.map(({ paymentUuid, gateway, amount }) => {
        const isAccount = gateway === accountGateway
        return (
          <li key={paymentUuid ?? gateway}>
            <Note icon={isAccount ? 'building' : 'card'}>
              {words(isAccount ? 'changes.back_account' : cardLabels[leaves], { amount: cents(amount, currency) })}
            </Note>
          </li>
        )
      })}
    </ul>
  )
}
