import { useState } from 'react'
import { changeUnit, resumeUnit, suspendUnit, viewUnit } from '#common/administration/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { ErrorSummary, RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useUnsaved } from '#portal/kit/form/use-unsaved.ts'
import { useFormat } from '#portal/kit/format.ts'
import type { PanelOf } from '#portal/kit/list/rows.ts'
import { SidePanel } from '#portal/kit/overlay/side-panel.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { LoadLatest, SaveInFoot, useConflict } from '../form-actions.tsx'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { reload, useParams, useRecord } from '../use-records.ts'
import { ReasonDialog } from '../reason-dialog.tsx'
import { Offer } from './offer.tsx'
import { UnitFields } from './unit-fields.tsx'
import { factsIn, unitFormProblems, type UnitValues, valuesOf } from './unit-values.ts'
import { type Unit, UnitState } from './unit.tsx'

/** One business unit: its facts, its offer, and suspending or reactivating it. */
export function UnitPanel({ uuid, panel }: { uuid: string; panel: PanelOf }) {
  const { words } = useWords()
  const { data, error, retry } = useRecord(viewUnit, { uuid })
  const [isConfirming, setIsConfirming] = useState(false)
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  return (
    <SidePanel
      {...panel}
      title={data?.facts.brandName ?? words('administration.unit')}
      actions={
        data && (
          <>
            <div ref={setFoot} className="flex flex-1" />
            <Button
              look={data.suspended ? 'quiet' : 'risk'}
              icon={data.suspended ? 'check-circle' : 'lock'}
              onClick={() => setIsConfirming(true)}
            >
              {words(data.suspended ? 'administration.resume' : 'administration.suspend')}
            </Button>
          </>
        )
      }
    >
      {data && <UnitDetails key={data.uuid} unit={data} foot={foot} />}
      {!data && error && <LoadError error={error} retry={retry} />}
      {!data && !error && (
        <Loading className="grid gap-4">
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-96 w-full" />
        </Loading>
      )}
      {data && isConfirming && <Suspension unit={data} onClose={() => setIsConfirming(false)} />}
    </SidePanel>
  )
}

function UnitDetails({ unit, foot }: { unit: Unit; foot: HTMLElement | null }) {
  const { words } = useWords()
  const { date } = useFormat()
  const { switchTo } = useParams()
  const [part, setPart] = useState<'facts' | 'offer'>('facts')
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <img src={unit.logo} alt="" width={40} height={40} className="size-10 object-contain" />
        <div className="grid">
          <span className="flex flex-wrap items-center gap-2">
            <span className="text-quiet">{unit.key}</span> <UnitState suspended={unit.suspended} />
          </span>
          <span className="text-sm text-quiet">{words('administration.since', { date: date(unit.createdAt.slice(0, 10)) })}</span>
        </div>
        <Button look="plain" icon="users" className="sm:ml-auto" onClick={() => switchTo({ tab: 'users', unit: unit.uuid })}>
          {words('administration.users_of', { count: unit.users })}
        </Button>
      </div>
      <Tabs
        label={unit.facts.brandName}
        value={part}
        onChange={setPart}
        tabs={[
          { id: 'facts', label: words('administration.facts') },
          { id: 'offer', label: words('administration.offer') },
        ]}
      >
        {part === 'facts' ? <UnitForm key={unit.version} unit={unit} foot={foot} /> : <Offer key={unit.version} unit={unit} foot={foot} />}
      </Tabs>
    </>
  )
}

function Suspension({ unit: { uuid, suspended, facts }, onClose }: { unit: Unit; onClose: () => void }) {
  const { words } = useWords()
  const name = facts.brandName
  async function send(reason: string) {
    await ask(suspended ? resumeUnit : suspendUnit, { uuid, reason })
    await reload()
    showToast({
      severity: 'success',
      summary: words(suspended ? 'administration.unit_resumed' : 'administration.unit_suspended', { name }),
    })
  }
  return (
    <ReasonDialog
      title={words(suspended ? 'administration.resume_unit' : 'administration.suspend_unit', { name })}
      description={words(suspended ? 'administration.resume_unit_hint' : 'administration.suspend_unit_hint')}
      button={words(suspended ? 'administration.resume' : 'administration.suspend')}
      danger={!suspended}
      onSend={send}
      onClose={onClose}
    />
  )
}

function UnitForm({ unit: { uuid, version, facts }, foot }: { unit: Unit; foot: HTMLElement | null }) {
  const { words } = useWords()
  const conflict = useConflict()
  const form = useRulesForm<UnitValues>({
    defaultValues: valuesOf(facts),
    rules: unitFormProblems,
    send: async values => {
      await conflict.watch(ask(changeUnit, { uuid, version, ...factsIn(values) }))
      form.reset(values)
      await reload()
      showToast({ severity: 'success', summary: words('administration.saved') })
    },
  })
  useUnsaved(form.formState.isDirty)
  return (
    <RulesForm form={form} className="grid gap-6 pt-2">
      <ErrorSummary />
      <UnitFields />
      {conflict.hasConflict && <LoadLatest />}
      <SaveInFoot form={form} foot={foot} />
    </RulesForm>
  )
}
