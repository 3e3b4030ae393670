import { useState } from 'react'
import { accountingMatch } from '#common/accounting/calls.ts'
import { daysOf } from '#common/accounting/period.ts'
import { narrowedToOwn } from '#common/kit/permissions.ts'
import { ask } from '#portal/kit/ask.ts'
import { useMissingOptions } from '#portal/kit/errors/missing-options.ts'
import { Refusals, useRefusals } from '#portal/kit/errors/refusals.tsx'
import { FileDrop } from '#portal/kit/field/file-drop.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { saveFile } from '#portal/kit/file/save-file.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { permissionsNow } from '#portal/session/session.ts'
import { type EarningsParams, monthsIn, useStatements } from '../use-accounting.ts'
import type { Compared } from './compared.ts'
import { Matches } from './matches.tsx'
import { readInWorker } from './read-in-worker.ts'
import { resultFile } from './result-file.ts'

const ofPeriod = ''

/** Compares the agency's own list with the period of the page, or with a statement. */
export function MatchDialog({ params, onClose }: { params: EarningsParams; onClose: () => void }) {
  const { words, locale } = useWords()
  const [statement, setStatement] = useState(ofPeriod)
  const [compared, setCompared] = useState<Compared>()
  const { problems, setProblems, busy, run } = useRefusals()
  const compare = (file: Blob) =>
    run(async () => {
      const csv = await readInWorker(file)
      if (csv === undefined) setProblems([words('match.unreadable')])
      else setCompared(await ask(accountingMatch, { csv, ...(statement === ofPeriod ? daysOf(monthsIn(params)) : { statement }) }))
    })
  return (
    <Dialog
      open
      onClose={onClose}
      busy={busy}
      size="wide"
      title={words('match.title')}
      description={words('match.intro')}
      actions={
        compared && (
          <>
            <Button look="quiet" onClick={() => setCompared(undefined)}>
              {words('match.other_file')}
            </Button>
            <Button icon="download" onClick={() => saveFile(resultFile(compared, words, locale))}>
              {words('match.save')}
            </Button>
          </>
        )
      }
    >
      <Refusals title={words('match.refused')} problems={problems} />
      {compared ? (
        <Matches compared={compared} />
      ) : (
        <div className="grid gap-(--gap)">
          {/* Statements concern the whole agency. */}
          {!narrowedToOwn(permissionsNow()) && <StatementSelect value={statement} onChange={setStatement} />}
          <FileDrop
            label={words('match.file')}
            hint={words('match.file_hint')}
            name="matchFile"
            value={[]}
            accept={['.xlsx', '.csv', '.tsv', '.txt']}
            megabytes={2}
            disabled={busy}
            onChange={([file]) => file && void compare(file)}
          />
        </div>
      )}
    </Dialog>
  )
}

function StatementSelect({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { words } = useWords()
  const { rows, error } = useStatements({})
  const missing = useMissingOptions({ data: rows, isError: error !== null })
  const statements = (rows ?? []).map(({ number }) => ({ value: number, label: number }))
  return (
    <Select
      label={words('match.with')}
      name="statement"
      value={value}
      onChange={onChange}
      options={[{ value: ofPeriod, label: words('match.period') }, ...statements, ...missing]}
    />
  )
}
