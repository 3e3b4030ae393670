import { useUnit } from '#portal/business-unit/settings.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { stepLabels } from '../labels.ts'
import { type DeskParam, noDesk } from '../desk-params.ts'
import { DeskFrame, type Frame } from '../desk-frame.tsx'
import { AsItStood } from './as-it-stood.tsx'
import { Compared } from './compared.tsx'
import { type PolicyVersion, Step, useVersions } from './versions.tsx'

/** One version of a policy, or two side by side with their differences. */
export function VersionsDesk({ frame }: { frame: Frame }) {
  const { words } = useWords()
  const { params, show, follow } = useListParams<DeskParam>()
  const { data, error, refetch } = useVersions(frame.policyUuid)
  const { currency } = useUnit().configuration
  const versions = data ?? []
  const shown = versions.find(({ version }) => String(version) === params.version) ?? versions.at(-1)
  const other = versions.find(({ version }) => String(version) === params.with && version !== shown?.version)
  return (
    <DeskFrame
      {...frame}
      heading={words('changes.title_versions')}
      foot={
        <Button look="quiet" onClick={() => show(noDesk)}>
          {words('changes.back')}
        </Button>
      }
    >
      {shown && (
        <>
          <div className="grid gap-2.5 sm:grid-cols-2">
            <VersionSelect
              name="version"
              label={words('changes.shown_version')}
              versions={versions}
              value={shown}
              onChange={version => follow({ version })}
            />
            <VersionSelect
              name="with"
              label={words('changes.compare_with')}
              versions={versions.filter(version => version !== shown)}
              value={other}
              none={words('changes.none')}
              onChange={version => follow({ with: version || undefined })}
            />
          </div>
          {other ? (
            <Compared versions={[other, shown].toSorted((a, b) => a.version - b.version)} currency={currency} />
          ) : (
            <>
              <Step version={shown} currency={currency} />
              <AsItStood version={shown} currency={currency} />
            </>
          )}
        </>
      )}
      {!data && !error && (
        <Loading className="grid gap-4">
          <Skeleton className="h-32 w-full" />
        </Loading>
      )}
      {error && <LoadError title={words('policies.detail_failed')} error={error} retry={() => void refetch()} />}
    </DeskFrame>
  )
}

type SelectProps = {
  name: string
  label: string
  versions: readonly PolicyVersion[]
  value: PolicyVersion | undefined
  none?: string
  onChange: (version: string) => void
}

function VersionSelect({ name, label, versions, value, none, onChange }: SelectProps) {
  const { words } = useWords()
  const { moment } = useFormat()
  return (
    <Select
      label={label}
      name={name}
      value={value ? String(value.version) : ''}
      {...(none ? { placeholder: none } : {})}
      onChange={onChange}
      options={versions.map(({ version, number, kind, at }) => ({
        value: String(version),
        label: `${words('changes.version', { version: number })} · ${words(stepLabels[kind])} · ${moment(at)}`,
      }))}
    />
  )
}
