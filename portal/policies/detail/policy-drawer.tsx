import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { policyCan } from '#common/policies/states.ts'
import { ErrorBoundary } from '#portal/kit/errors/error-boundary.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Drawer } from '#portal/kit/overlay/dialog.tsx'
import { Button, buttonLook } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { deleteBudgets } from '../quote-actions.ts'
import type { Row } from '../list-params.ts'
import { SendDialog } from '../send-dialog.tsx'
import { StatusBadge } from '../list/status-badge.tsx'
import { usePolicy } from '../use-policies.ts'
import { Files, History, Mails, DemandsAndNeeds } from './history.tsx'
import { type Detail, Payments, People, Price, Trip } from './details.tsx'

type Props = { policyUuid: string; onDeleted: (deleted: readonly Row[]) => void; onClose: () => void }

/** Everything about one policy, over the list. Its URL opens it again. */
export function PolicyDrawer({ policyUuid, onDeleted, onClose }: Props) {
  const { words } = useWords()
  const { data, error, refetch } = usePolicy(policyUuid)
  const [sendTo, setSendTo] = useState<string>()
  async function remove(policy: Row) {
    const deleted = await deleteBudgets([policy], words)
    if (deleted.length === 0) return
    onDeleted(deleted)
    onClose()
  }
  const holder = data?.users.find(({ holder }) => holder)
  return (
    <Drawer
      open
      onClose={onClose}
      size="large"
      title={
        data
          ? data.policy.policyNumber || words('policies.budget_of', { name: data.policy.policyTaker || words('policies.nobody_yet') })
          : words('policies.policy')
      }
      actions={data && <Actions detail={data} onSend={() => setSendTo(holder?.email ?? '')} onDelete={() => void remove(data.policy)} />}
    >
      {data && (
        <ErrorBoundary>
          <Summary detail={data} />
          <Trip detail={data} />
          <People detail={data} />
          <Price detail={data} />
          <Payments detail={data} />
          <DemandsAndNeeds detail={data} />
          <Files detail={data} />
          <Mails detail={data} onResend={policyCan('send', data.policy) ? setSendTo : undefined} />
          <History detail={data} />
        </ErrorBoundary>
      )}
      {!data && !error && (
        <Loading className="grid gap-4">
          <Skeleton className="h-14 w-full" />
          <Skeleton className="h-32 w-full" />
          <Skeleton className="h-48 w-full" />
        </Loading>
      )}
      {error && <LoadError title={words('policies.detail_failed')} error={error} retry={() => void refetch()} />}
      {data && sendTo !== undefined && (
        <SendDialog rows={[data.policy]} files={data.files} to={sendTo} holder={holder?.email} onClose={() => setSendTo(undefined)} />
      )}
    </Drawer>
  )
}

function Summary({ detail: { policy } }: { detail: Detail }) {
  const { words } = useWords()
  const { date, money, moment } = useFormat()
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex items-center gap-2">
          <StatusBadge policy={policy} /> {policy.productName}
        </span>
        <span data-total className="text-xl font-semibold tracking-tight">
          {money(policy.total, policy.currency)}
        </span>
      </p>
      <p className="text-quiet">
        {policy.policyTaker || words('policies.nobody_yet')} · {date(policy.startDate)} – {date(policy.endDate)}
      </p>
      <p className="text-sm text-quiet">
        {words('policies.made_by', { name: policy.username, at: moment(policy.createdAt) })}
        {policy.buReference && ` · ${policy.buReference}`}
      </p>
    </div>
  )
}

type ActionsProps = { detail: Detail; onSend: () => void; onDelete: () => void }

/** The actions that the policy's status and the user's permissions allow. */
function Actions({ detail: { policy }, onSend, onDelete }: ActionsProps) {
  const { words } = useWords()
  const maySell = useMay('b2b-products-sell')
  const mayAccess = useMay('b2b-access')
  const { policyUuid } = policy
  return (
    <>
      {maySell && policyCan('delete', policy) && (
        <Button look="plain" icon="trash" onClick={onDelete}>
          {words('policies.delete')}
        </Button>
      )}
      {mayAccess && policyCan('claim', policy) && (
        <Link to="/claim" search={{ policy: policyUuid }} className={buttonLook('plain')}>
          <Icon name="alert-circle" /> {words('policies.claim')}
        </Link>
      )}
      {maySell && policyCan('copy', policy) && (
        <Link to="/funnel" search={{ copy: policyUuid }} className={buttonLook('quiet')}>
          <Icon name="copy" /> {words('policies.copy')}
        </Link>
      )}
      {policyCan('send', policy) && (
        <Button look={policyCan('resume', policy) ? 'quiet' : 'main'} icon="mail" onClick={onSend}>
          {words('policies.send')}
        </Button>
      )}
      {maySell && policyCan('resume', policy) && (
        <Link to="/funnel" search={{ policy: policyUuid }} className={buttonLook('main')}>
          <Icon name="arrow-right" /> {words('policies.resume')}
        </Link>
      )}
    </>
  )
}
