import { lazy, Suspense } from 'react'
import { exportAudit, listAudit } from '#common/administration/calls.ts'
import { isDate } from '#common/kit/dates.ts'
import { Combobox } from '#portal/kit/combobox/combobox.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { idIn, oneOf } from '#portal/kit/list/list-params.ts'
import { ListScreen } from '#portal/kit/list/list-screen.tsx'
import { useOpenRow } from '#portal/kit/list/rows.ts'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { useList } from '#portal/kit/list/use-list.ts'
import { useDownload } from '#portal/kit/file/use-download.ts'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import { DayFilter, Filters, SearchFilter, StateFilter, UnitFilter } from '../filters.tsx'
import { type AdministrationParams, key, pagingOf, useParams } from '../use-records.ts'
import type { Entry } from './entry-panel.tsx'
import { actionOptions, actionWords, Outcome } from './actions.tsx'

const EntryPanel = lazy(async () => {
  const [{ EntryPanel }] = await Promise.all([import('./entry-panel.tsx'), loadMessages('refusal')])
  return { default: EntryPanel }
})

/** The audit log: users, actions, times and networks. Reading it is audited, too. */
export function AuditTab() {
  const { words } = useWords()
  const { moment } = useFormat()
  const { params, turnTo } = useParams()
  const search = searchIn(params)
  const list = useList(listAudit, { ...search, ...pagingOf(params) }, { key, rows: ({ entries }) => entries })
  const { shown, props, panel } = useOpenRow(list, turnTo)
  return (
    <>
      <ListScreen
        list={list}
        caption={words('administration.audit')}
        columns={useColumns()}
        {...props}
        empty={{ icon: 'list', title: words('administration.no_entries'), hint: words('administration.change_search') }}
        lines={entry => ({
          title: actionWords(entry.action, words),
          end: '',
          detail: [moment(entry.at), entry.user?.name].filter(Boolean).join(' · '),
          state: <Outcome outcome={entry.outcome} />,
        })}
        summary={({ count }) => words('administration.count', { count })}
        expected={8}
      >
        <Filters first={<SearchFilter label={words('administration.search_who')} />} actions={<Export search={search} />}>
          <ActionFilter />
          <UnitFilter />
          <StateFilter
            label={words('administration.audit_outcome')}
            options={[
              { value: '', label: words('administration.all') },
              { value: 'done', label: words('administration.outcome_done') },
              { value: 'refused', label: words('administration.outcome_refused') },
            ]}
          />
          <DayFilter name="from" label={words('administration.from')} />
          <DayFilter name="to" label={words('administration.to')} />
          <SearchFilter label={words('administration.audit_object')} name="object" />
        </Filters>
      </ListScreen>
      <Suspense>{shown && <EntryPanel entry={shown} panel={panel} />}</Suspense>
    </>
  )
}

/** Filters by an action in words. If the URL has a part of a code, such as `policy.`, that is also a choice. */
function ActionFilter() {
  const { words } = useWords()
  const { params, filter } = useParams()
  const { what } = params
  const known = actionOptions(words)
  const options = what === undefined || known.some(({ value }) => value === what) ? known : [{ value: what, label: what }, ...known]
  return (
    <Combobox<string>
      label={words('administration.audit_action')}
      name="what"
      options={options}
      clearable
      value={what ?? null}
      onChange={what => filter({ what: what ?? undefined })}
      placeholder={words('administration.all_actions')}
      className="w-full min-w-32 flex-1 sm:max-w-52"
    />
  )
}

/** Returns the filters in the URL in the format of the call. */
function searchIn({ search, what, object, unit, state, from, to }: AdministrationParams) {
  const businessUnitUuid = idIn(unit)
  const outcome = oneOf(['done', 'refused'] as const, state)
  return {
    ...(search ? { who: search.slice(0, 200) } : {}),
    ...(what ? { what: what.slice(0, 100) } : {}),
    ...(object ? { object: object.slice(0, 100) } : {}),
    ...(businessUnitUuid ? { businessUnitUuid } : {}),
    ...(outcome ? { outcome } : {}),
    ...(isDate(from) ? { dateFrom: from } : {}),
    ...(isDate(to) ? { dateTo: to } : {}),
  }
}

function Export({ search }: { search: ReturnType<typeof searchIn> }) {
  const { words } = useWords()
  const { busy, download } = useDownload()
  return (
    <Button look="quiet" icon="download" busy={busy !== undefined} onClick={() => void download(exportAudit, search)}>
      {words('administration.export')}
    </Button>
  )
}

function useColumns(): Column<Entry>[] {
  const { words } = useWords()
  const { moment } = useFormat()
  return [
    { key: 'at', head: words('administration.moment'), cell: ({ at }) => moment(at) },
    { key: 'user', head: words('administration.user'), cell: ({ user }) => user?.name ?? '—' },
    { key: 'action', head: words('administration.audit_action'), cell: ({ action }) => actionWords(action, words) },
    { key: 'unit', head: words('administration.unit'), hide: 64, cell: ({ businessUnit }) => businessUnit?.brandName ?? '—' },
    { key: 'network', head: words('administration.audit_network'), hide: 64, cell: ({ network }) => network },
    { key: 'outcome', head: words('administration.audit_outcome'), cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  ]
}
