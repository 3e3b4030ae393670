import { Link } from '@tanstack/react-router'
import type { Fixed } from '#common/changes/asked/phases.ts'
import type { Refused } from '#common/changes/refusals.ts'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { Button, buttonLook } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { problemIn, useWords } from '#portal/kit/words.tsx'
import type { DeskParam } from '../desk-params.ts'
import { fixedLabels } from '../labels.ts'
import type { Terms } from '../terms.ts'

type Props = { refused: Refused; terms: Terms; policyUuid: string; showsMessage?: boolean }

/** A refusal with its way out. At a field, the field itself shows the message. */
export function Refusal({ refused, terms, policyUuid, showsMessage = false }: Props) {
  const { words } = useWords()
  const { show } = useListParams<DeskParam>()
  const way = wayOut(refused, terms)
  if (!way && !showsMessage) return null
  return (
    <div className="grid gap-1 rounded-md bg-danger-soft px-3 py-2">
      {showsMessage && (
        <p className="flex gap-1.5 text-sm font-semibold text-danger">
          <Icon name="alert-circle" className="mt-0.5 size-3.5" />
          {problemIn(words, refused)}
        </p>
      )}
      {refused.code === 'change.started' && <p className="text-sm">{words('changes.out_started')}</p>}
      {way === 'sell_anew' && (
        <div className="flex flex-wrap items-center gap-x-3">
          <p className="min-w-48 flex-1 text-sm">{words('changes.out_sell_anew')}</p>
          <Button look="quiet" icon="copy" onClick={() => show({ desk: 'cancel', next: 'sell' })}>
            {words('changes.sell_anew')}
          </Button>
        </div>
      )}
      {way === 'ask' && <AskService policyUuid={policyUuid} />}
    </div>
  )
}

function AskService({ policyUuid }: Pick<Props, 'policyUuid'>) {
  const { words } = useWords()
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <p className="min-w-48 flex-1 text-sm">{words('changes.out_ask')}</p>
      <Link to="/customer-service" search={{ policy: policyUuid, type: 'change' }} className={buttonLook('quiet')}>
        <Icon name="lifebuoy" /> {words('changes.ask_service')}
      </Link>
    </div>
  )
}

/** Says above the fields why the cover can no longer change, and who can be asked. */
export function FixedCover({ fixed, policyUuid }: Pick<Props, 'policyUuid'> & { fixed: Fixed }) {
  const { words } = useWords()
  return (
    <Callout tone="info" title={words(fixedLabels[fixed])}>
      {fixed === 'change.started' && <p className="text-sm">{words('changes.out_started')}</p>}
      <AskService policyUuid={policyUuid} />
    </Callout>
  )
}

/** The agent's choice when a change is refused: to cancel and sell anew in one step, or to ask customer service. */
export type WayOut = 'sell_anew' | 'ask'

/** Returns the way out of a refusal, if the policy has one. A form's problem needs none, as it is corrected in its field. */
export function wayOut({ code }: Pick<Refused, 'code'>, { can }: Pick<Terms, 'can'>): WayOut | undefined {
  if (code === 'validation.failed' || hasNone.has(code)) return undefined
  if (byService.has(code)) return 'ask'
  return can.some(({ action }) => action === 'cancel') ? 'sell_anew' : 'ask'
}

const hasNone = new Set(['change.nothing', 'change.stale', 'change.pending', 'change.cancelled'])

/** A new policy would not help: the trip has begun or is over, there is a claim, or the list of names is closed. */
const byService = new Set(['change.started', 'change.ended', 'change.claimed', 'change.names_closed'])
