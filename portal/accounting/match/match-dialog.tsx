import { useState } from 'react'
import { accountingMatch } from '#common/accounting/calls.ts'
import { daysOf } from '#common/accounting/period.ts'
import { csvOf, dialectOf } from '#common/kit/csv.ts'
import type { Locale } from '#common/kit/locales.ts'
import { narrowedToOwn } from '#common/kit/permissions.ts'
import { ask } from '#portal/kit/ask.ts'
import { useMissingOptions } from '#portal/kit/errors/missing-options.ts'
import { Refusals, useRefusals } from '#portal/kit/errors/failure.tsx'
import { FileDrop } from '#portal/kit/field/file-drop.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { saveFile } from '#portal/kit/file/save-file.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import { permissionsNow } from '#portal/session/session.ts'
import { type EarningsParams, monthsIn, useStatements } from '../use-accounting.ts'
import { type Compared, Matches } from './matches.tsx'

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

/** Returns the comparison as CSV for a spreadsheet, with the decimals of the language. */
function resultFile({ rows, currency }: Compared, words: Words, locale: Locale): { name: string; content: Blob } {
  const heads = [
    words('match.policy'),
    words('match.reference'),
    words('match.state'),
    words('match.price_here'),
    words('match.price_list'),
    words('match.price_by'),
    words('match.commission_here'),
    words('match.commission_list'),
    words('match.commission_by'),
  ]
  const lines = rows.map(({ policyNumber, reference, state, ours, theirs, by, currency: other }) => [
    policyNumber,
    reference,
    [words('match.state_of', { state }), other !== null && words('match.other_currency', { other, currency })].filter(Boolean).join(' · '),
    ours?.gross ?? null,
    theirs?.gross ?? null,
    by.gross,
    ours?.commission ?? null,
    theirs?.commission ?? null,
    by.commission,
  ])
  // With this byte order mark, a spreadsheet reads the file as UTF-8.
  const text = `\uFEFF${csvOf([heads, ...lines], dialectOf(locale))}`
  return { name: `${words('match.policies')}.csv`, content: new Blob([text], { type: 'text/csv;charset=utf-8' }) }
}

const timeoutMs = 15_000

/** Reads a list in a worker. Undefined if it cannot be read, or takes too long. */
async function readInWorker(source: Blob): Promise<string | undefined> {
  const bytes = new Uint8Array(await source.arrayBuffer())
  const worker = new Worker(new URL('./read-list.worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const timeout = setTimeout(() => resolve(undefined), timeoutMs)
  worker.addEventListener('message', ({ data }: MessageEvent<string | undefined>) => resolve(data))
  worker.addEventListener('error', () => resolve(undefined))
  worker.postMessage(bytes, [bytes.buffer])
  try {
    return await promise
  } finally {
    clearTimeout(timeout)
    worker.terminate()
  }
}
