import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useProductName } from '#portal/products/store.ts'
import { daysBetween } from '#common/kit/dates.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { errorMessage, isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { ErrorBoundary } from '#portal/kit/errors/error-boundary.tsx'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { shownEnd, useFormat } from '#portal/kit/format.ts'
import { SidePanel, type Step } from '#portal/kit/overlay/side-panel.tsx'
import { Badge, Callout } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { useMay } from '#portal/session/session.ts'
import { isSendable } from '../price-until.tsx'
import { StatusBadge } from '../status.tsx'
import type { Row } from '../list-params.ts'
import { type PolicyDetail, policyQuery } from '../policy-query.ts'
import { deleteBudgets } from '../quote-actions.ts'
import { SendDialog, useSendingSoon } from '../send/sending.ts'
import type { MakeLink } from '../send/shared.ts'
import { Actions, type AfterSaleDesk } from './actions.tsx'
import { Cover } from './cover.tsx'
import { BroughtDocument, Documents } from './documents.tsx'
import { DemandsAndNeeds, History, Mails } from './history.tsx'
import { People, Terms, useDestinations } from './properties.tsx'

type Props = {
  policyUuid: string
  /** The policy's row in the list, shown until the details are loaded. */
  row: Row | undefined
  /** The list's title, for the drawer as a page of its own. */
  alone?: string
  onStep: Step | undefined
  onAlone?: () => void
  onDeleted: (deleted: readonly Row[]) => void
  onClose: () => void
  /** Opens a desk for a change or an end of the policy, if there is one. */
  onDesk: ((desk: AfterSaleDesk) => void) | undefined
  /** Opens the dialog that sends the policy, once it is loaded. */
  sends: boolean
  onSent: () => void
  parts: PartsQuery
}

/** Everything about one policy, beside the list or as a page. Its URL opens it again. */
export function PolicyDrawer({ policyUuid, row, onDeleted, onDesk, sends, onSent, parts: partsQuery, ...panel }: Props) {
  const { words } = useWords()
  const { data: loaded, error, refetch } = useQuery(policyQuery(policyUuid))
  const parts = useQuery(partsQuery)
  const maySell = useMay('b2b-products-sell')
  // This is permanent, so there is nothing to retry.
  const isGone = isRefusedAs(error, 'policy.blocked') || isRefusedAs(error, 'policy.erased')
  const data = parts.isPending ? undefined : loaded
  /** The initial address and document of the dialog. */
  const [chosen, setSending] = useState<{ to?: string; file?: string }>()
  const sending = chosen ?? (sends && data && isSendable(data.policy) ? {} : undefined)
  useSendingSoon(true)
  const policy = data?.policy ?? row
  const holder = data?.users.find(({ holder }) => holder)
  async function remove(policy: Row) {
    const deleted = await deleteBudgets([policy], words)
    if (deleted.length === 0) return
    onDeleted(deleted)
    panel.onClose()
  }
  return (
    <SidePanel
      {...panel}
      isWide
      of={policyUuid}
      title={
        policy
          ? policy.policyNumber ||
            words('policies.budget_of', { name: policy.policyTaker || policy.buReference || words('policies.nobody_yet') })
          : words('policies.policy')
      }
      state={policy && <State policy={policy} />}
      actions={data && <Actions detail={data} onDesk={onDesk} onSend={() => setSending({})} onDelete={() => void remove(data.policy)} />}
    >
      {policy && <Summary policy={policy} detail={data} />}
      {data && (
        <ErrorBoundary key={policyUuid}>
          <div className={panel.alone ? 'grid gap-6 lg:grid-cols-2' : 'contents'}>
            <div className={column}>
              {parts.data?.ended?.(data)}
              <People detail={data} />
              <Documents detail={data} onSend={isSendable(data.policy) ? file => setSending({ file }) : undefined} />
              <BroughtDocument detail={data} />
              <Terms detail={data} />
            </div>
            <div className={column}>
              {parts.error && (
                <LoadError small title={words('shell.panel_failed')} error={parts.error} retry={() => void parts.refetch()} />
              )}
              {parts.data?.movements?.(data)}
              {parts.data?.link?.(data)}
              {data.policy.policyNumber && parts.data?.tickets(data.policy.policyNumber, policyUuid)}
              <DemandsAndNeeds detail={data} />
              <Mails detail={data} onResend={isSendable(data.policy) ? to => setSending({ to }) : undefined} />
              {data.history.some(({ what }) => actions.has(what)) && parts.data?.versions?.(policyUuid)}
              {parts.data && <History detail={data} />}
            </div>
          </div>
        </ErrorBoundary>
      )}
      {!data && !error && (
        <Loading className="grid gap-4">
          <Skeleton className="h-32 w-full" />
          <Skeleton className="h-48 w-full" />
        </Loading>
      )}
      {error && isGone && (
        <div role="alert">
          <Callout tone="info">{errorMessage(error, words)}</Callout>
        </div>
      )}
      {error && !isGone && <LoadError title={words('policies.detail_failed')} error={error} retry={() => void refetch()} />}
      {data && sending && (
        <SendDialog
          rows={[data.policy]}
          files={data.files}
          only={sending.file}
          to={sending.to ?? holder?.email ?? ''}
          holder={holder?.email}
          makeLink={maySell && data.policy.status === 'budgeted' ? parts.data?.makeLink : undefined}
          onClose={() => {
            setSending(undefined)
            if (sends) onSent()
          }}
        />
      )}
    </SidePanel>
  )
}

const column = 'grid grid-cols-[minmax(0,1fr)] content-start gap-6'

/** The events that made a version. */
const actions = new Set(['changed', 'change_undone', 'cancelled', 'reinstated'])

/** The status, and a tag on a quote that departs by tomorrow and should be sold. The time to departure is shown below the dates. */
function State({ policy }: { policy: Row }) {
  const { words } = useWords()
  const days = daysBetween(todayInUnit(), policy.startDate)
  return (
    <>
      <StatusBadge policy={policy} />
      {!isOver(policy.status) && (days === 0 || days === 1) && (
        <span className="max-sm:hidden">
          <Badge tone="warning">{words('day.lapsing', { days })}</Badge>
        </span>
      )}
    </>
  )
}

/** True for a sold or cancelled policy, of which nothing is left to sell. */
const isOver = (status: Row['status']): boolean => status === 'purchased' || status === 'cancelled'

/** The tags, the policyholder, the trip, the price and the periods of cover. The trip's countries are loaded with the details. */
function Summary({ policy, detail }: { policy: Row; detail: PolicyDetail | undefined }) {
  const { words } = useWords()
  const { date, money, number } = useFormat()
  const destinationsOf = useDestinations()
  const productName = useProductName()
  const showsCommission = useShowsCommission()
  const commission = showsCommission && detail?.price.lines.find(({ kind }) => kind === 'commission')
  const ended = detail?.ended
  return (
    <div className="grid gap-4">
      {detail && <Tags detail={detail} />}
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h3 className="text-xl font-semibold wrap-anywhere">{policy.policyTaker || words('policies.nobody_yet')}</h3>
          <p className="text-quiet">{[productName(policy), detail && destinationsOf(detail)].filter(Boolean).join(' · ')}</p>
        </div>
        <div className="shrink-0 text-right">
          <p data-total className="text-2xl font-bold">
            {/* The list's row of a cancelled policy does not have the refund. */}
            {(detail || policy.status !== 'cancelled') && money(ended ? ended.refund : policy.total, policy.currency)}
          </p>
          <p className="text-sm text-quiet">
            {ended
              ? words('policies.refund')
              : commission &&
                `${words('policies.line_commission', { percent: number(commission.rate ?? 0) })} ${money(commission.amount, policy.currency)}`}
          </p>
        </div>
      </div>
      {policy.status === 'cancelled' ? (
        <p className="text-quiet">{`${date(policy.startDate)} – ${date(policy.endDate)}`}</p>
      ) : (
        <Cover policy={policy} detail={detail} />
      )}
    </div>
  )
}

/** The open matters of a sold policy: an offer or payment of a change, and a claim. */
function Tags({ detail: { openChange, claim } }: { detail: PolicyDetail }) {
  const { words } = useWords()
  if (!openChange && claim !== 'open') return null
  return (
    <p className="flex flex-wrap gap-1.5">
      {openChange && (
        <Badge tone="warning">
          {words(openChange.offeredTo === null ? 'policies.open_change_unpaid' : 'policies.open_change_offered', {
            at: shownEnd(openChange.until),
          })}
        </Badge>
      )}
      {claim === 'open' && <Badge tone="warning">{words('policies.claim_open')}</Badge>}
    </p>
  )
}

/** The parts of a policy's details that belong to features above this one. */
export type Parts = {
  /** The tickets of a policy by its number. */
  tickets: (policyNumber: string, policyUuid: string) => ReactNode
  /** How a cancelled policy ended. */
  ended?: (detail: PolicyDetail) => ReactNode
  /** The movements that are possible on a sold policy, each with its end. */
  movements?: (detail: PolicyDetail) => ReactNode
  versions?: (policyUuid: string) => ReactNode
  /** The link by which the client reads a saved quote, and how it is made. */
  link?: (detail: PolicyDetail) => ReactNode
  makeLink?: MakeLink
}

export type PartsQuery = ReturnType<typeof partsQuery>

/** Loads the code of the parts together with the details, so that both are shown at once. `lazy` would show the parts later. */
export const partsQuery = (kind: 'sold' | 'saved', load: () => Promise<Parts>) =>
  ({
    queryKey: ['policy-parts', kind],
    queryFn: load,
    structuralSharing: false,
    staleTime: Infinity,
    gcTime: Infinity,
  }) as const
