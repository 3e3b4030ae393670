import { useState } from 'react'
import { changeUser, endUserSessions, resetTwoFactor, viewUser } from '#common/administration/calls.ts'
import type { Problem } from '#common/kit/problems.ts'
import { fieldProblems } from '#common/kit/validators/all.ts'
import { ask } from '#portal/kit/ask.ts'
import { BoundSwitch } from '#portal/kit/form/bound-more.tsx'
import { BoundText } from '#portal/kit/form/bound.tsx'
import { ErrorSummary, RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useUnsaved } from '#portal/kit/form/use-unsaved.ts'
import { useFormat } from '#portal/kit/format.ts'
import type { PanelOf } from '#portal/kit/list/rows.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { SidePanel } from '#portal/kit/overlay/side-panel.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useUser } from '#portal/session/session.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { LoadLatest, SaveInFoot, useConflict } from '../form-actions.tsx'
import { Part, useDeviceName } from '../record.tsx'
import { reload, useParams, useRecord } from '../use-records.ts'
import { ReasonDialog } from '../reason-dialog.tsx'
import { type Member, memberProblems, Memberships, membersOf, sentMembers, type User, UserState } from './user.tsx'

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

type Values = { name: string; administrator: boolean; businessUnits: Member[] }

function UserForm({ user, foot }: { user: User; foot: HTMLElement | null }) {
  const { words, locale } = useWords()
  const { uuid, version, active } = user
  const conflict = useConflict()
  const form = useRulesForm<Values>({
    defaultValues: { name: user.name, administrator: user.administrator, businessUnits: membersOf(user) },
    rules: ({ name, businessUnits }): Problem[] => [
      ...fieldProblems('name', name, ['required'], { locale, today: '' }),
      // Administrators need no unit, and neither do users whose only invitation was removed.
      ...(businessUnits.length === 0 ? [] : memberProblems(businessUnits)),
    ],
    send: async ({ name, administrator, businessUnits }) => {
      const members = sentMembers(businessUnits)
      await conflict.watch(ask(changeUser, { uuid, version, name, active, administrator, businessUnits: members }))
      await reload()
      showToast({ severity: 'success', summary: words('administration.saved') })
    },
  })
  useUnsaved(form.formState.isDirty)
  return (
    <RulesForm form={form} className="grid gap-6">
      <ErrorSummary />
      <BoundText name="name" label={words('administration.name')} required maxLength={120} autoComplete="off" />
      <Memberships />
      <BoundSwitch
        name="administrator"
        label={words('administration.administrator_switch')}
        hint={words('administration.administrator_hint')}
      />
      {conflict.hasConflict && <LoadLatest />}
      <SaveInFoot form={form} foot={foot} />
    </RulesForm>
  )
}

/** Resets the second factor of a user who lost it and whose units have no manager who could. */
function SecondFactor({ user: { uuid, name } }: { user: User }) {
  const { words } = useWords()
  const [isConfirming, setIsConfirming] = useState(false)
  return (
    <Part
      title={words('administration.two_factor')}
      actions={
        <Button look="risk" icon="lock" onClick={() => setIsConfirming(true)}>
          {words('administration.reset')}
        </Button>
      }
    >
      <p className="text-quiet">{words('administration.two_factor_on')}</p>
      {isConfirming && (
        <ReasonDialog
          danger
          title={words('administration.reset_two_factor_of', { name })}
          description={words('administration.reset_two_factor_hint')}
          button={words('administration.reset')}
          onSend={async reason => {
            await ask(resetTwoFactor, { uuid, reason })
            await reload()
            showToast({ severity: 'success', summary: words('administration.two_factor_reset', { name }) })
          }}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </Part>
  )
}

/** Lists a user's open sessions, and ends one or all of them. */
function Sessions({ user: { uuid, openSessions } }: { user: User }) {
  const { words } = useWords()
  const { moment } = useFormat()
  const [ending, setEnding] = useState<string>()
  async function end(sessionUuid?: string) {
    setEnding(sessionUuid ?? 'all')
    try {
      const { ended } = await ask(endUserSessions, { uuid, ...(sessionUuid ? { sessionUuid } : {}) })
      await reload()
      showToast({ severity: 'success', summary: words('administration.sessions_ended', { count: ended }) })
    } catch (error) {
      alertError(error)
    } finally {
      setEnding(undefined)
    }
  }
  const nameOf = useDeviceName()
  return (
    <Part
      title={words('administration.sessions')}
      actions={
        openSessions.length > 1 && (
          <Button look="quiet" busy={ending === 'all'} onClick={() => void end()}>
            {words('administration.end_all')}
          </Button>
        )
      }
    >
      {openSessions.length === 0 ? (
        <p className="text-quiet">{words('administration.no_sessions')}</p>
      ) : (
        <ul className="grid">
          {openSessions.map(({ uuid: session, userAgent, network, lastSeenAt }) => (
            <li key={session} className="flex items-center gap-3 border-b border-line py-2 last:border-0">
              <span className="grid min-w-0 flex-1">
                <span>{nameOf(userAgent)}</span>
                <span className="text-sm break-all text-quiet">
                  {network} · {words('administration.last_seen_at', { at: moment(lastSeenAt) })}
                </span>
              </span>
              <IconButton
                icon="log-out"
                label={words('administration.end_session', { device: nameOf(userAgent) })}
                busy={ending === session}
                onClick={() => void end(session)}
              />
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}
