import { useState } from 'react'
import { catalogueVersions } from '#common/administration/calls.ts'
import { useFormat } from '#portal/kit/format.ts'
import { EmptyState, State } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { Table } from '#portal/kit/list/table.tsx'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useRecord } from '../use-records.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Changes, kinds, type Version, versionName } from './changes.tsx'

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
