import { lazy, Suspense } from 'react'
import { listUnits } from '#common/administration/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { idIn, oneOf } from '#portal/kit/list/list-params.ts'
import { ListScreen } from '#portal/kit/list/list-screen.tsx'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { useList } from '#portal/kit/list/use-list.ts'
import { useWords } from '#portal/kit/words.tsx'
import { languageNames } from '#portal/kit/language.ts'
import { Filters, SearchFilter, StateFilter } from '../filters.tsx'
import { key, pagingOf, useOpenRecord, useParams } from '../use-records.ts'
import { UnitState } from './unit.tsx'

/** The forms are loaded separately, as the list needs none of them. */
const NewUnit = lazy(() => import('./new-unit.tsx').then(({ NewUnit }) => ({ default: NewUnit })))
const UnitPanel = lazy(() => import('./unit-panel.tsx').then(({ UnitPanel }) => ({ default: UnitPanel })))

type Unit = ResponseOf<typeof listUnits>['units'][number]

/** All business units, active and suspended. */
export function UnitsTab() {
  const { words } = useWords()
  const { params, show, close } = useParams()
  const state = oneOf(['active', 'suspended'] as const, params.state)
  const list = useList(
    listUnits,
    {
      ...pagingOf(params),
      ...(params.search ? { searchData: params.search } : {}),
      ...(state ? { state } : {}),
    },
    { key, rows: ({ units }) => units },
  )
  const open = idIn(params.open)
  const { props, panel } = useOpenRecord(list, idOf)
  const { number } = useFormat()
  return (
    <>
      <ListScreen
        list={list}
        caption={words('administration.units')}
        columns={useColumns()}
        {...props}
        empty={{ icon: 'building', title: words('administration.no_units'), hint: words('administration.change_search') }}
        lines={unit => ({
          title: unit.brandName,
          end: number(unit.users),
          detail: unit.legalName,
          state: <UnitState suspended={unit.suspended} />,
        })}
        summary={({ count }) => words('administration.count', { count })}
        expected={8}
      >
        <Filters
          first={<SearchFilter label={words('administration.search_units')} />}
          actions={
            <Button look="quiet" icon="plus" onClick={() => show({ open: 'new' })}>
              {words('administration.new_unit')}
            </Button>
          }
        >
          <StateFilter
            label={words('administration.state')}
            options={[
              { value: '', label: words('administration.all') },
              { value: 'active', label: words('administration.unit_is_active') },
              { value: 'suspended', label: words('administration.unit_is_suspended') },
            ]}
          />
        </Filters>
      </ListScreen>
      {/* Two boundaries: in a shared one, loading either form would close the other. */}
      <Suspense>{params.open === 'new' && <NewUnit onCreated={uuid => show({ open: uuid })} onClose={close} />}</Suspense>
      <Suspense>{open && <UnitPanel uuid={open} panel={panel} />}</Suspense>
    </>
  )
}

const idOf = ({ uuid }: Unit): string => uuid

function useColumns(): Column<Unit>[] {
  const { words } = useWords()
  const { number } = useFormat()
  return [
    { key: 'brandName', head: words('administration.brand'), cell: unit => unit.brandName },
    { key: 'legalName', head: words('administration.legal_name'), hide: 48, cell: unit => unit.legalName },
    { key: 'managementGroup', head: words('administration.group'), hide: 64, cell: unit => unit.managementGroup },
    { key: 'locale', head: words('administration.language'), hide: 64, cell: unit => languageNames[unit.locale] },
    { key: 'users', head: words('administration.users'), align: 'end', cell: unit => number(unit.users) },
    { key: 'products', head: words('administration.products'), align: 'end', cell: unit => number(unit.products) },
    { key: 'state', head: words('administration.state'), cell: unit => <UnitState suspended={unit.suspended} /> },
  ]
}
