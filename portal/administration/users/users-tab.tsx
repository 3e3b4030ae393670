import { listUsers } from '#common/administration/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { idIn, oneOf } from '#portal/kit/list/list-params.ts'
import { ListScreen } from '#portal/kit/list/list-screen.tsx'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { useList } from '#portal/kit/list/use-list.ts'
import { useWords } from '#portal/kit/words.tsx'
import { Filters, SearchFilter, StateFilter, UnitFilter } from '../filters.tsx'
import { key, pagingOf, useOpenRecord, useParams } from '../use-records.ts'
import { NewUser } from './new-user.tsx'
import { UserPanel } from './user-panel.tsx'
import { UserState } from './user.tsx'

type User = ResponseOf<typeof listUsers>['users'][number]

/** All users of the service, in every unit. */
export function UsersTab() {
  const { words } = useWords()
  const { params, show, close } = useParams()
  const state = oneOf(['active', 'suspended', 'administrator'] as const, params.state)
  const unit = idIn(params.unit)
  const list = useList(
    listUsers,
    {
      ...pagingOf(params),
      ...(params.search ? { searchData: params.search } : {}),
      ...(unit ? { businessUnitUuid: unit } : {}),
      ...(state ? { state } : {}),
    },
    { key, rows: ({ users }) => users },
  )
  const open = idIn(params.open)
  const { props, panel } = useOpenRecord(list, idOf)
  return (
    <>
      <ListScreen
        list={list}
        caption={words('administration.users')}
        columns={useColumns()}
        {...props}
        empty={{ icon: 'users', title: words('administration.no_users'), hint: words('administration.change_search') }}
        lines={user => ({ title: user.name, end: '', detail: user.email, state: <UserState {...user} /> })}
        summary={({ count }) => words('administration.count', { count })}
        expected={8}
      >
        <Filters
          first={<SearchFilter label={words('administration.search_users')} />}
          actions={
            <Button look="quiet" icon="plus" onClick={() => show({ open: 'new' })}>
              {words('administration.new_user')}
            </Button>
          }
        >
          <UnitFilter />
          <StateFilter
            label={words('administration.state')}
            options={[
              { value: '', label: words('administration.all') },
              { value: 'active', label: words('administration.active') },
              { value: 'suspended', label: words('administration.suspended') },
              { value: 'administrator', label: words('administration.administrators') },
            ]}
          />
        </Filters>
      </ListScreen>
      {params.open === 'new' && <NewUser unit={unit} onCreated={uuid => show({ open: uuid })} onClose={close} />}
      {open && <UserPanel uuid={open} panel={panel} />}
    </>
  )
}

const idOf = ({ uuid }: User): string => uuid

function useColumns(): Column<User>[] {
  const { words } = useWords()
  const { moment, list } = useFormat()
  const unitsOf = ({ businessUnits }: User) => list(businessUnits.filter(({ active }) => active).map(({ brandName }) => brandName))
  return [
    { key: 'name', head: words('administration.name'), cell: user => user.name },
    { key: 'email', head: words('administration.email'), cell: user => user.email },
    { key: 'units', head: words('administration.units'), hide: 48, cell: unitsOf },
    {
      key: 'lastSeenAt',
      head: words('administration.last_seen'),
      hide: 64,
      cell: user => (user.lastSeenAt ? moment(user.lastSeenAt) : words('administration.never')),
    },
    { key: 'state', head: words('administration.state'), cell: user => <UserState {...user} /> },
  ]
}
