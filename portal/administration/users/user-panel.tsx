import { useState } from 'react'
import { changeUser, viewUser } from '#common/administration/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import type { PanelOf } from '#portal/kit/list/rows.ts'
import { SidePanel } from '#portal/kit/overlay/side-panel.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useUser } from '#portal/session/session.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { reload, useParams, useRecord } from '../use-records.ts'
import { ReasonDialog } from '../reason-dialog.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { UserForm } from './user-form.tsx'
import { membersOf, sentMembers, type User, UserState } from './user.tsx'

/** One user: their facts, roles by unit, and open sessions. */
export function UserPanel({ uuid, panel }: { uuid: string; panel: PanelOf }) {
  const { words } = useWords()
  const { data, error, retry } = useRecord(viewUser, { uuid })
  const [isConfirming, setIsConfirming] = useState(false)
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  return (
    <SidePanel
      {...panel}
      title={data?.name ?? words('administration.user')}
      actions={
        data && (
          <>
            <div ref={setFoot} className="flex flex-1" />
            <Button
              look={data.active ? 'risk' : 'quiet'}
              icon={data.active ? 'lock' : 'check-circle'}
              onClick={() => setIsConfirming(true)}
            >
              {words(data.active ? 'administration.suspend' : 'administration.resume')}
            </Button>
          </>
        )
      }
    >
      {data && <UserDetails key={data.uuid} user={data} foot={foot} />}
      {!data && error && <LoadError error={error} retry={retry} />}
      {!data && !error && (
        <Loading className="grid gap-4">
          <Skeleton className="h-12 w-full" />
          <Skeleton className="h-80 w-full" />
        </Loading>
      )}
      {data && isConfirming && <Suspension user={data} onClose={() => setIsConfirming(false)} />}
    </SidePanel>
  )
}

function UserDetails({ user, foot }: { user: User; foot: HTMLElement | null }) {
  const { words } = useWords()
  const { date, moment } = useFormat()
  const { switchTo } = useParams()
  const { uuid: self } = useUser()
  return (
    <>
      <div className="grid gap-1">
        <span className="flex flex-wrap items-center gap-2">
          <span className="break-all">{user.email}</span> <UserState {...user} />
        </span>
        <span className="text-sm text-quiet">
          {words('administration.since', { date: date(user.createdAt.slice(0, 10)) })}
          {user.lastSeenAt && ` · ${words('administration.last_seen_at', { at: moment(user.lastSeenAt) })}`}
        </span>
        <Button
          look="plain"
          icon="list"
          className="-ml-3 justify-self-start"
          onClick={() => switchTo({ tab: 'audit', search: user.email })}
        >
          {words('administration.view_activity')}
        </Button>
      </div>
      <UserForm key={user.version} user={user} foot={foot} />
      {user.twoFactor && user.uuid !== self && <SecondFactor user={user} />}
      <Sessions user={user} />
    </>
  )
}

function Suspension({ user, onClose }: { user: User; onClose: () => void }) {
  const { words } = useWords()
  const { uuid, version, name, active, administrator } = user
  async function send(reason: string) {
    await ask(changeUser, { uuid, version, name, administrator, active: !active, businessUnits: sentMembers(membersOf(user)), reason })
    await reload()
    showToast({ severity: 'success', summary: words(active ? 'administration.user_suspended' : 'administration.user_resumed', { name }) })
  }
  return (
    <ReasonDialog
      title={words(active ? 'administration.suspend_user' : 'administration.resume_user', { name })}
      description={words(active ? 'administration.suspend_user_hint' : 'administration.resume_user_hint')}
      button={words(active ? 'administration.suspend' : 'administration.resume')}
      danger={active}
      onSend={send}
      onClose={onClose}
    />
  )
}
