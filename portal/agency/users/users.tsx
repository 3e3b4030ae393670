import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { agencyUsers } from '#common/agency/calls.ts'
import type { AgencyUser } from '#common/agency/schemas.ts'
import { loadingOf } from '#portal/kit/queries.ts'
import { useFormat } from '#portal/kit/format.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { EmptyState, State } from '#portal/kit/ui/card.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { Table } from '#portal/kit/list/table.tsx'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { UserActions } from './user-actions.tsx'
import { RoleNames, UserDialog } from './user-dialog.tsx'

/** The button is higher than its line. */
export function Users() {
  const { words } = useWords()
  const mayChange = useMay('b2b-users-update')
  const [edited, setEdited] = useState<AgencyUser | 'new'>()
  const columns = useColumns(mayChange, setEdited)
  const { data, error, refetch } = useQuery({ queryKey: ['agency-users'], ...loadingOf(agencyUsers, {}) })
  if (error && !data) return <LoadError error={error} retry={() => void refetch()} />
  const invite = (
    <Button look="quiet" icon="plus" onClick={() => setEdited('new')}>
      {words('agency.users.invite')}
    </Button>
  )
  const alone = data?.users.length === 1 && mayChange
  return (
    <div className="grid gap-(--gap)">
      {mayChange && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-quiet">{words('agency.users.intro')}</p>
          {invite}
        </div>
      )}
      <Table
        caption={words('agency.tab.users')}
        columns={columns}
        rows={data?.users}
        expected={5}
        keyOf={({ uuid }) => uuid}
        lines={user => ({
          title: <Name user={user} />,
          // The button is higher than its line.
          end: mayChange && (
            <span className="-my-2 inline-block">
              <Actions user={user} onEdit={setEdited} />
            </span>
          ),
          detail: (
            <>
              <RoleNames roles={user.roles} /> · {user.email}
            </>
          ),
          state: <UserState user={user} />,
        })}
        empty={<EmptyState icon="users" title={words('agency.users.none')} />}
      />
      {alone && (
        <EmptyState icon="users" title={words('agency.users.alone')} action={invite}>
          {words('agency.users.alone_hint')}
        </EmptyState>
      )}
      {edited && data && <UserDialog user={edited} assignable={data.assignable} onClose={() => setEdited(undefined)} />}
    </div>
  )
}

function useColumns(mayChange: boolean, onEdit: (user: AgencyUser) => void): Column<AgencyUser>[] {
  const { words } = useWords()
  const { moment } = useFormat()
  const columns: Column<AgencyUser>[] = [
    { key: 'name', head: words('agency.users.name'), cell: user => <Person user={user} /> },
    { key: 'roles', head: words('agency.users.role'), cell: ({ roles }) => <RoleNames roles={roles} /> },
    { key: 'state', head: words('agency.users.state'), cell: user => <UserState user={user} /> },
    {
      key: 'lastSignInAt',
      head: words('agency.users.last_sign_in'),
      cell: ({ lastSignInAt, sessions }) => (lastSignInAt ? moment(lastSignInAt) : sessions === null ? '–' : words('agency.users.never')),
    },
    {
      key: 'twoFactor',
      head: words('account.two_factor.title'),
      hide: 64,
      cell: ({ twoFactor }) => words(twoFactor ? 'account.two_factor.on' : 'account.two_factor.off'),
    },
  ]
  const actions: Column<AgencyUser> = {
    key: 'actions',
    head: words('agency.users.actions'),
    hideHead: true,
    align: 'end',
    cell: user => <Actions user={user} onEdit={onEdit} />,
  }
  return mayChange ? [...columns, actions] : columns
}

const Actions = ({ user, onEdit }: { user: AgencyUser; onEdit: (user: AgencyUser) => void }) =>
  user.changeable ? <UserActions user={user} onEdit={() => onEdit(user)} /> : <NotChangeable />

/** A lock in place of the actions, as users cannot change users with more permissions. */
function NotChangeable() {
  const { words } = useWords()
  return (
    <span title={words('agency.users.above')} className="inline-grid size-(--control) place-items-center text-quiet">
      <Icon name="lock" />
      <span className="sr-only">{words('agency.users.above')}</span>
    </span>
  )
}

const Person = ({ user }: { user: AgencyUser }) => (
  <span className="grid py-1.5">
    <Name user={user} />
    <span className="truncate text-sm font-normal text-quiet">{user.email}</span>
  </span>
)

function Name({ user: { name, self } }: { user: AgencyUser }) {
  const { words } = useWords()
  return (
    <span className="flex items-center gap-2">
      <span className="truncate">{name}</span>
      {self && <span className="text-sm font-normal text-quiet">{words('agency.users.self')}</span>}
    </span>
  )
}

function UserState({ user: { state } }: { user: AgencyUser }) {
  const { words } = useWords()
  if (state === 'active') return <State tone="success">{words('agency.state.active')}</State>
  if (state === 'invited') return <State tone="info">{words('agency.state.invited')}</State>
  return <State tone="warning">{words('agency.state.suspended')}</State>
}
