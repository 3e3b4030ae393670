import type { ReactNode } from 'react'
import { idIn, oneOf } from '#portal/kit/list/list-params.ts'
import { ListScreen } from '#portal/kit/list/list-screen.tsx'
import { type PanelOf, useOpenRow } from '#portal/kit/list/rows.ts'
import type { Column, Lines } from '#portal/kit/list/table-parts.tsx'
import type { ListPage } from '#portal/kit/list/use-list.ts'
import type { IconName } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { Filters, StateFilter, UnitFilter } from './filters.tsx'
import { pagingOf, useParams } from './use-records.ts'

/** Returns the state and unit by which the URL filters a list, and the request for the page. The first state is the default. */
export function useStateAndUnit<State extends string>(states: readonly [State, ...State[]]) {
  const { params } = useParams()
  const state = oneOf(states, params.state) ?? states[0]
  const unit = idIn(params.unit)
  return { state, unit, request: { ...pagingOf(params), state, ...(unit ? { businessUnitUuid: unit } : {}) } }
}

type Props<Row> = {
  list: ListPage<Row>
  caption: string
  columns: readonly Column<Row>[]
  lines: (row: Row) => Lines
  /** The first state is the default. */
  states: readonly { value: string; label: string }[]
  empty: { icon: IconName; title: string; hint: string }
  /** The details of the opened row, beside the list. */
  renderPanel: (row: Row, panel: PanelOf) => ReactNode
  /** The buttons beside the filters. */
  children?: ReactNode
}

/** A list of records by state and unit. A record's details open in a panel beside it. */
export function StateList<Row extends { uuid: string }>({ states, renderPanel, children, ...screen }: Props<Row>) {
  const { words } = useWords()
  const { turnTo } = useParams()
  const { shown, props, panel } = useOpenRow(screen.list, turnTo)
  return (
    <>
      <ListScreen {...screen} {...props} summary={({ count }) => words('administration.count', { count })} expected={8}>
        <Filters first={<UnitFilter />} actions={children}>
          <StateFilter label={words('administration.state')} fallback={states[0]?.value ?? ''} options={states} />
        </Filters>
      </ListScreen>
      {shown && renderPanel(shown, panel)}
    </>
  )
}
