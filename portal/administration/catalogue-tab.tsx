import { useState } from 'react'
import { catalogueChanges, catalogueVersions } from '#common/administration/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { useFormat } from '#portal/kit/format.ts'
import type { PanelOf } from '#portal/kit/list/rows.ts'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { Table } from '#portal/kit/list/table.tsx'
import { SidePanel } from '#portal/kit/overlay/side-panel.tsx'
import { Callout, EmptyState, State } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { Code } from './record.tsx'
import { useRecord } from './use-records.ts'

/** All loads of the catalogue, with the versions that each brought: products, tariffs, common content. */
export function CatalogueTab() {
  const { words } = useWords()
  const { moment } = useFormat()
  const { data, error, retry } = useRecord(catalogueVersions, {})
  const [shown, setShown] = useState<Version>()
  const columns = useColumns()
  if (error) return <LoadError error={error} retry={retry} />
  if (!data)
    return (
      <Loading className="grid gap-4">
        <Skeleton className="h-80 w-full" />
      </Loading>
    )
  if (data.loads.length === 0) return <EmptyState icon="file" title={words('administration.no_catalogue')} />
  return (
    <div className="grid gap-(--card)">
      {data.loads.map(load => (
        <section key={load.loadedAt} aria-labelledby={`load-${load.loadedAt}`} className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
          <h2 id={`load-${load.loadedAt}`} className="text-lg font-semibold">
            {words('administration.load_of', { at: moment(load.loadedAt) })}
          </h2>
          <Table<Version>
            caption={words('administration.load_of', { at: moment(load.loadedAt) })}
            columns={columns}
            rows={load.versions}
            keyOf={keyOf}
            onOpen={setShown}
            open={shown && keyOf(shown)}
            onFollow={setShown}
            lines={version => ({
              title: versionName(version, words('administration.common_content')),
              end: '',
              detail: [version.code, words(kinds[version.kind]), version.version].filter(Boolean).join(' · '),
              state: <VersionState version={version} />,
            })}
          />
        </section>
      ))}
      {shown && <Changes version={shown} panel={{ of: keyOf(shown), onStep: undefined, onClose: () => setShown(undefined) }} />}
    </div>
  )
}

function VersionState({ version: { current } }: { version: Version }) {
  const { words } = useWords()
  return <State tone={current ? 'success' : 'over'}>{words(current ? 'administration.current' : 'administration.earlier')}</State>
}

const keyOf = ({ kind, productUuid, version }: Version): string => `${kind} ${productUuid ?? ''} ${version}`

function useColumns(): Column<Version>[] {
  const { words } = useWords()
  return [
    {
      key: 'name',
      head: words('administration.name'),
      cell: each => versionName(each, words('administration.common_content')),
    },
    { key: 'code', head: words('administration.code'), hide: 48, cell: each => each.code ?? '—' },
    { key: 'kind', head: words('administration.kind'), cell: each => words(kinds[each.kind]) },
    { key: 'version', head: words('administration.version'), cell: each => each.version },
    {
      key: 'current',
      head: words('administration.state'),
      cell: each => <VersionState version={each} />,
    },
  ]
}

/** Lists the paths that a version changed, with the values before and after. */
function Changes({ version, panel }: { version: Version; panel: PanelOf }) {
  const { words } = useWords()
  const { kind, productUuid } = version
  const request = { kind, version: version.version, ...(productUuid ? { productUuid } : {}) }
  const { data, error, retry } = useRecord(catalogueChanges, request)
  return (
    <SidePanel {...panel} title={versionName(version, words('administration.common_content'))}>
      <p className="text-quiet">{`${words(kinds[kind])} · ${words('administration.version')} ${version.version}`}</p>
      {error && <LoadError error={error} retry={retry} />}
      {!data && !error && (
        <Loading className="grid gap-3">
          <Skeleton className="h-60 w-full" />
        </Loading>
      )}
      {data?.before === null && <EmptyState icon="file" title={words('administration.first_version')} />}
      {data && data.before !== null && data.total === 0 && <EmptyState icon="check" title={words('administration.no_changes')} />}
      {data && data.total > data.changes.length && (
        <Callout tone="info" title={words('administration.changes_shown', { shown: data.changes.length, total: data.total })} />
      )}
      {data && data.changes.length > 0 && (
        <dl className="grid gap-3">
          {data.changes.map(({ path, before, after }) => (
            <div key={path} className="grid gap-1 border-b border-line pb-3 last:border-0">
              <dt>
                <Code>{path}</Code>
              </dt>
              <dd className="grid gap-2 text-sm sm:grid-cols-2">
                <Side label={words('administration.before')} text={before} />
                <Side label={words('administration.after')} text={after} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </SidePanel>
  )
}

function Side({ label, text }: { label: string; text: string | null }) {
  return (
    <div className="grid content-start gap-0.5 rounded-md bg-sunken p-2">
      <span className="text-xs text-quiet">{label}</span>
      <span className="break-words">{text ?? '—'}</span>
    </div>
  )
}

type Version = ResponseOf<typeof catalogueVersions>['loads'][number]['versions'][number]

const versionName = ({ name }: Version, common: string): string => name ?? common

const kinds = {
  common: 'administration.kind_common',
  product: 'administration.kind_product',
  tariff: 'administration.kind_tariff',
} as const
