import { useState } from 'react'
import { deleteReportView, saveReportView } from '#common/reports/calls.ts'
import { longestViewName } from '#common/views/views.ts'
import { ask } from '#portal/kit/ask.ts'
import { MissingPart } from '#portal/kit/errors/load-error.tsx'
import { Refusals, useRefusals } from '#portal/kit/errors/failure.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { Popover, useClosePopover } from '#portal/kit/overlay/popover.tsx'
import { toastError } from '#portal/kit/overlay/report-error.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type Choice, reload, useReportViews } from './use-reports.ts'

type Props = { choice: Choice; onChoose: (choice: Choice) => void }

const none = ''

/** The reports that the user has saved under a name. They can be chosen and deleted, and another one saved. */
export function SavedReports({ choice, onChoose }: Props) {
  const { words } = useWords()
  const query = useReportViews()
  const { data, isError } = query
  const views = data?.views ?? []
  const shown = views.find(({ params }) => isSame(params, choice))
  const remove = (viewUuid: string) => ask(deleteReportView, { viewUuid }).then(() => reload('views'), toastError)
  return (
    <div className="flex flex-wrap items-end gap-2">
      {isError && !data && <MissingPart of={query} title={words('reports.saved_failed')} />}
      {views.length > 0 && (
        <Select
          label={words('reports.saved')}
          name="savedReport"
          className="min-w-48 flex-1 sm:flex-none"
          value={shown?.viewUuid ?? none}
          onChange={uuid => {
            const view = views.find(({ viewUuid }) => viewUuid === uuid)
            if (view) onChoose(view.params)
          }}
          options={[
            ...(shown ? [] : [{ value: none, label: words('reports.saved_none') }]),
            ...views.map(({ viewUuid, name }) => ({ value: viewUuid, label: name })),
          ]}
        />
      )}
      {shown && (
        <IconButton icon="trash" label={words('reports.saved_delete', { name: shown.name })} onClick={() => void remove(shown.viewUuid)} />
      )}
      {!shown && (
        <Popover label={words('reports.save_as')} content={<SaveForm choice={choice} />}>
          {trigger => (
            <Button {...trigger} look="plain" icon="plus">
              {words('reports.save_as')}
            </Button>
          )}
        </Popover>
      )}
    </div>
  )
}

const isSame = (one: Choice, other: Choice): boolean =>
  one.report === other.report && one.format === other.format && one.groupBy.join() === other.groupBy.join()

function SaveForm({ choice: { report, groupBy, format } }: { choice: Choice }) {
  const { words } = useWords()
  const close = useClosePopover()
  const [name, setName] = useState('')
  const { problems, busy, run } = useRefusals()
  return (
    <form
      noValidate
      className="grid w-72 max-w-full gap-3"
      onSubmit={event => {
        event.preventDefault()
        void run(async () => {
          await ask(saveReportView, { name, params: { report, groupBy, format } })
          await reload('views')
          close()
        })
      }}
    >
      <TextField
        label={words('reports.name')}
        hint={words('reports.name_hint')}
        name="reportName"
        maxLength={longestViewName}
        autoComplete="off"
        required
        value={name}
        onChange={event => setName(event.target.value)}
      />
      <Refusals title={words('reports.refused')} problems={problems} />
      <Button look="quiet" type="submit" busy={busy}>
        {words('ui.save')}
      </Button>
    </form>
  )
}
