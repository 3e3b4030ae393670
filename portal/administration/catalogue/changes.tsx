import { catalogueChanges, type catalogueVersions } from '#common/administration/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import type { PanelOf } from '#portal/kit/list/rows.ts'
import { SidePanel } from '#portal/kit/overlay/side-panel.tsx'
import { Callout, EmptyState } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useRecord } from '../use-records.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Code } from '../record.tsx'

/** Lists the paths that a version changed, with the values before and after. */
export function Changes({ version, panel }: { version: Version; panel: PanelOf }) {
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

export type Version = ResponseOf<typeof catalogueVersions>['loads'][number]['versions'][number]

export const versionName = ({ name }: Version, common: string): string => name ?? common

export const kinds = {
  common: 'administration.kind_common',
  product: 'administration.kind_product',
  tariff: 'administration.kind_tariff',
} as const
