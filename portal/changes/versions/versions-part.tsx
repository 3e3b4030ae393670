import { useUnit } from '#portal/business-unit/settings.ts'
import { MissingPart } from '#portal/kit/errors/load-error.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { stepLabels } from '../labels.ts'
import type { DeskParam } from '../desk-params.ts'
import { useVersions, VersionFiles } from './versions.tsx'

/** The versions of a changed policy, newest first, each with its documents. Each can be opened. */
export function VersionsPart({ policyUuid }: { policyUuid: string }) {
  const { words } = useWords()
  const { moment, money } = useFormat()
  const { currency } = useUnit().configuration
  const { show } = useListParams<DeskParam>()
  const query = useVersions(policyUuid)
  if (!query.data) return <MissingPart of={query} title={words('changes.versions_failed')} />
  const versions = query.data.toReversed()
  const [newest, former] = versions
  if (!newest || !former) return null
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <header className="flex min-h-8 flex-wrap items-center justify-between gap-x-3">
        <h3 className="font-semibold">{words('changes.title_versions')}</h3>
        <Button
          look="plain"
          icon="rows"
          className="-mr-2"
          onClick={() => show({ desk: 'versions', version: String(newest.version), with: String(former.version) })}
        >
          {words('changes.compare')}
        </Button>
      </header>
      <ol>
        {versions.map(({ version, number, kind, at, who, total, files }, index) => (
          <li key={version} className="border-b border-hair last:border-0">
            <button
              type="button"
              onClick={() => show({ desk: 'versions', version: String(version) })}
              className="flex min-h-(--control) w-full flex-wrap items-center gap-x-2.5 text-left hover:bg-sunken"
            >
              <span
                aria-hidden="true"
                className={`size-2 shrink-0 rounded-full ${index === 0 ? 'bg-ink' : 'inset-ring-[1.5px] inset-ring-faint'}`}
              />
              <span className={`underline underline-offset-4 ${index === 0 ? 'font-semibold' : ''}`}>
                {words('changes.version', { version: number })}
              </span>
              <span>{words(stepLabels[kind])}</span>
              <span className="min-w-0 flex-1 truncate text-sm text-quiet">{[who, moment(at)].filter(Boolean).join(' · ')}</span>
              <span>{money(total, currency)}</span>
            </button>
            <div className="pl-4.5 empty:hidden">
              <VersionFiles files={files} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
