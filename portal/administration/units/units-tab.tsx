import { lazy, Suspense } from 'react'
import { listUnits } from '#common/administration/unit-calls.ts'
import type { Reply } from '#common/kit/call.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import type { Column } from '#portal/kit/ui/table.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { languageNames } from '#portal/session/frame.tsx'
import { useList } from '../queries.ts'
import { SearchFilter, StateFilter } from '../filters.tsx'
import { Listing } from '../listing.tsx'
import { idIn, oneOf, pageIn, perPage, useLook } from '../list-params.ts'
import { UnitState } from './unit.tsx'

/** A list needs no forms. */
const NewUnit = lazy(() => import('./new-unit.tsx').then(({ NewUnit }) => ({ default: NewUnit })))
const UnitDrawer = lazy(() => import('./unit-drawer.tsx').then(({ UnitDrawer }) => ({ default: UnitDrawer })))

type Unit = Reply<typeof listUnits>['units'][number]

/** All business units: who they are, what they sell, and whether they may. */
export function UnitsTab() {
  const { words } = useWords()
  const { look, go, close } = useLook()
  const state = oneOf(['active', 'suspended'] as const, look.state)
  const list = useList(listUnits, {
    page: pageIn(look),
    perPage,
    ...(look.search ? { searchData: look.search } : {}),
    ...(state ? { state } : {}),
  })
  const open = idIn(look.open)
  return (
    <>
      <Listing<Unit>
        {...list}
        caption={words('administration.units')}
        columns={useColumns()}
        rows={list.data?.units}
        keyOf={({ uuid }) => uuid}
        onOpen={({ uuid }) => go({ open: uuid })}
        empty={{ icon: 'building', title: words('administration.no_units'), hint: words('administration.change_search') }}
      >
        <SearchFilter label={words('administration.search_units')} />
        <StateFilter
          label={words('administration.state')}
          options={[
            { value: '', label: words('administration.all') },
            { value: 'active', label: words('administration.unit_is_active') },
            { value: 'suspended', label: words('administration.unit_is_suspended') },
          ]}
        />
        <Button icon="plus" className="sm:ml-auto" onClick={() => go({ open: 'new' })}>
          {words('administration.new_unit')}
        </Button>
      </Listing>
      {/* Each waits for itself alone: what waited for the other would be closed by it. */}
      <Suspense>{look.open === 'new' && <NewUnit onMade={uuid => go({ open: uuid })} onClose={close} />}</Suspense>
      <Suspense>{open && <UnitDrawer uuid={open} onClose={close} />}</Suspense>
    </>
  )
}

function useColumns(): Column<Unit>[] {
  const { words } = useWords()
  const { number } = useFormat()
  return [
    { key: 'brandName', head: words('administration.brand'), cell: unit => <span className="font-medium">{unit.brandName}</span> },
    { key: 'legalName', head: words('administration.legal_name'), hide: 'narrow', cell: unit => unit.legalName },
    { key: 'managementGroup', head: words('administration.group'), hide: 'medium', cell: unit => unit.managementGroup },
    { key: 'locale', head: words('administration.language'), hide: 'medium', cell: unit => languageNames[unit.locale] },
    { key: 'users', head: words('administration.users'), align: 'end', cell: unit => number(unit.users) },
    { key: 'products', head: words('administration.products'), align: 'end', cell: unit => number(unit.products) },
    { key: 'state', head: words('administration.state'), cell: unit => <UnitState suspended={unit.suspended} /> },
  ]
}
