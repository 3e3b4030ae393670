import { accountGateway } from '#common/changes/state.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import type { previewRectification } from '#common/privacy/calls.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import { placeName } from './person.ts'

type Corrections = Pick<ResponseOf<typeof previewRectification>, 'items' | 'money'>

/** Shows how a correction changes the money of each policy: the difference, the routes of a refund, and the commission. */
export function MovedMoney({ outcome: { items, money } }: { outcome: Corrections }) {
  const { words } = useWords()
  const { money: shown } = useFormat()
  return money.map(({ uuid, currency, difference, refund, commission, routes, withoutWay }) => {
    const item = items.find(each => each.uuid === uuid)
    const amount = (value: number) => ({ amount: shown(value, currency) })
    return (
      <section key={uuid} className="grid gap-1 text-sm">
        <h3 className="font-semibold">{item && placeName(item, words)}</h3>
        <ul className="grid gap-1 text-quiet">
          <li>
            {words('privacy.moves', { way: difference < 0 ? 'less' : 'more', ...amount(Math.abs(difference)) })}
            {difference < 0 && refund === 0 && ` ${words('privacy.moves_kept')}`}
          </li>
          {routes.map(({ gateway, paymentUuid, amount: part }) => (
            <li key={paymentUuid}>
              {words('privacy.moves_back', { way: gateway === accountGateway ? 'account' : 'card', ...amount(part) })}
            </li>
          ))}
          {withoutWay > 0 && <li>{words('privacy.moves_review', amount(withoutWay))}</li>}
          {commission !== 0 && <li>{words('privacy.moves_commission', amount(commission))}</li>}
        </ul>
      </section>
    )
  })
}
