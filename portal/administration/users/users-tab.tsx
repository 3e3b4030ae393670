import { listUsers } from '#common/administration/user-calls.ts'
import type { Reply } from '#common/kit/call.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import type { Column } from '#portal/kit/ui/table.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useList } from '../queries.ts'
import { SearchFilter, StateFilter, UnitFilter } from '../filters.tsx'
import { Listing } from '../listing.tsx'
import { idIn, oneOf, pageIn, perPage, useLook } from '../list-params.ts'
import { NewUser } from './new-user.tsx'
import { UserDrawer } from './user-drawer.tsx'
import { UserState } from './user.tsx'

type User = Reply<typeof listUsers>['users'][number]

/** Everybody who signs in, whichever unit he works for. */
export function UsersTab() {
  const { words } = useWords()
  const { look, go, close } = useLook()
  const state = oneOf(['active', 'suspended', 'administrator'] as const, look.state)
  const unit = idIn(look.unit)
  const list = useList(listUsers, {
    page: pageIn(look),
    perPage,
    ...(look.search ? { searchData: look.search } : {}),
    ...(unit ? { businessUnitUuid: unit } : {}),
    ...(state ? { state } : {}),
  })
  const open = idIn(look.open)
  return (
    <>
      <Listing<User>
        {...list}
        caption={words('administration.users')}
        columns={useColumns()}
        rows={list.data?.users}
        keyOf={({ uuid }) => uuid}
        onOpen={({ uuid }) => go({ open: uuid })}
        empty={{ icon: 'users', title: words('administration.no_users'), hint: words('administration.change_search') }}
      >
        <SearchFilter label={words('administration.search_users')} />
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
        <Button icon="plus" className="sm:ml-auto" onClick={() => go({ open: 'new' })}>
          {words('administration.new_user')}
        </Button>
      </Listing>
      {look.open === 'new' && <NewUser unit={unit} onMade={uuid => go({ open: uuid })} onClose={close} />}
      {open && <UserDrawer uuid={open} onClose={close} />}
    </>
  )
}

function useColumns(): Column<User>[] {
  const { words } = useWords()
  const { moment, list } = useFormat()
  const unitsOf = ({ businessUnits }: User) => list(businessUnits.filter(({ active }) => active).map(({ brandName }) => brandName))
  return [
    { key: 'name', head: words('administration.name'), cell: user => <span className="font-medium">{user.name}</span> },
    { key: 'email', head: words('administration.email'), cell: user => user.email },
    { key: 'units', head: words('administration.units'), hide: 'narrow', cell: unitsOf },
    {
      key: 'lastSeenAt',
      head: words('administration.last_seen'),
      hide: 'medium',
      cell: user => (user.lastSeenAt ? moment(user.lastSeenAt) : words('administration.never')),
    },
    { key: 'state', head: words('administration.state'), cell: user => <UserState {...user} /> },
  ]
}
