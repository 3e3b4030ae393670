import { startTransition, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { mostBytes, mostUnpacked, type SheetProblem } from '#common/kit/sheet/file.ts'
import { mostRows } from '#common/policies/import/cells.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { FileDrop } from '#portal/kit/field/file-drop.tsx'
import { TextArea } from '#portal/kit/field/text-field.tsx'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { showAlert } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import { isNamed, type PeopleForm } from '../people-form.ts'
import { type Draft, type ImportMode, newDraft, withFirstRow } from './draft.ts'
import { Preview } from './preview.tsx'
import { firstRowOf, type Imported, importedFrom, targetIn, type TargetSettings } from './target.ts'

type Props = {
  /** The form's values, which do not change while the dialog is open. */
  values: PeopleForm
  settings: TargetSettings
  onImport: (imported: Imported) => void
  onClose: () => void
}

/** Imports a list of travellers: a file or pasted cells, then a preview to correct. The list never leaves this browser. */
export function ImportDialog({ values, settings, onImport, onClose }: Props) {
  const { words } = useWords()
  const [draft, setDraft] = useState<Draft>()
  const [problem, setProblem] = useState<SheetProblem>()
  const [busy, setBusy] = useState(false)
  const [target] = useState(() => targetIn(values, settings))
  const { hasSecondLastName } = target
  const [mode, setMode] = useState<ImportMode>(target.rows.some(isNamed) ? 'after' : 'instead')

  async function load(source: Blob | string) {
    setBusy(true)
    setProblem(undefined)
    const table = await read(source).catch((): SheetProblem => 'broken')
    setBusy(false)
    if (typeof table === 'string') return setProblem(table)
    const list = newDraft(table, hasSecondLastName, todayInUnit())
    startTransition(() => setDraft(withFirstRow(list, firstRowOf(list, target))))
  }
  /** Asks before it discards corrections. */
  const leave = (proceed: () => void) => {
    if (!draft?.isEdited) return proceed()
    void showAlert({ mode: 'confirm', title: words('people.import.leave_title'), description: words('people.import.leave') }).then(
      confirmed => confirmed && proceed(),
    )
  }
  // A portal to the body keeps it outside the form around it. Enter here thus does not submit that form.
  return createPortal(
    draft ? (
      <Preview
        draft={draft}
        target={target}
        mode={mode}
        onMode={setMode}
        onChange={setDraft}
        onBack={() => leave(() => setDraft(undefined))}
        onClose={() => leave(onClose)}
        onImport={() => onImport(importedFrom(draft, target, mode))}
      />
    ) : (
      <Dialog open onClose={onClose} size="large" title={words('people.import.title')} description={words('people.import.intro')}>
        <div role="alert" className="empty:hidden">
          {problem && <Callout tone="danger" title={problemMessage(problem, words)} />}
        </div>
        <Sources busy={busy} hasSecondLastName={hasSecondLastName} onSource={source => void load(source)} />
      </Dialog>
    ),
    document.body,
  )
}

function Sources({
  busy,
  hasSecondLastName,
  onSource,
}: {
  busy: boolean
  hasSecondLastName: boolean
  onSource: (source: Blob | string) => void
}) {
  const { words } = useWords()
  const [pasted, setPasted] = useState('')
  const cells = useRef<HTMLTextAreaElement>(null)
  return (
    <>
      <FileDrop
        label={words('people.import.file')}
        hint={words('people.import.file_hint')}
        name="importFile"
        value={[]}
        accept={['.xlsx', '.csv', '.tsv', '.txt']}
        megabytes={mostBytes / 1_000_000}
        disabled={busy}
        onChange={([file]) => file && onSource(file)}
      />
      <TextArea
        label={words('people.import.paste')}
        hint={words('people.import.paste_hint')}
        ref={cells}
        name="importCells"
        data-first
        value={pasted}
        onChange={event => setPasted(event.target.value)}
        onPaste={event => {
          const text = event.clipboardData.getData('text/plain')
          // A paste into the empty field is the whole list. A paste into a text may be only a part.
          if (pasted === '' && text.trim() !== '') onSource(text)
        }}
        spellCheck={false}
      />
      <div className="flex flex-wrap gap-2">
        <Button busy={busy} onClick={() => (pasted.trim() === '' ? cells.current?.focus() : onSource(pasted))}>
          {words('people.import.view')}
        </Button>
        <Button look="quiet" icon="download" onClick={() => void saveTemplate(words, hasSecondLastName)}>
          {words('people.import.template')}
        </Button>
      </div>
    </>
  )
}

async function saveTemplate(words: Words, hasSecondLastName: boolean): Promise<void> {
  const [{ template }, { saveFile }] = await Promise.all([import('./template.ts'), import('#portal/kit/file/save-file.ts')])
  saveFile(await template(words, hasSecondLastName))
}

function problemMessage(problem: SheetProblem, words: Words): string {
  switch (problem) {
    case 'empty':
      return words('people.import.fault.empty')
    case 'too_big':
      return words('people.import.fault.too_big', { megabytes: mostBytes / 1_000_000 })
    case 'unpacked':
      return words('people.import.fault.unpacked', { megabytes: mostUnpacked / 1_000_000 })
    case 'too_many':
      return words('people.import.fault.too_many', { most: mostRows })
    case 'other_kind':
      return words('people.import.fault.other_kind')
    case 'locked':
      return words('people.import.fault.locked')
    case 'broken':
      return words('people.import.fault.broken')
    case 'slow':
      return words('people.import.fault.slow')
  }
}

const timeoutMs = 10_000

/** Reads a list in a worker, for at most 10 seconds. The list never leaves this browser. */
async function read(source: Blob | string): Promise<string[][] | SheetProblem> {
  const size = typeof source === 'string' ? source.length : source.size
  if (size > mostBytes) return 'too_big'
  const content = typeof source === 'string' ? source : new Uint8Array(await source.arrayBuffer())
  const worker = new Worker(new URL('./read.worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve } = Promise.withResolvers<string[][] | SheetProblem>()
  const timeout = setTimeout(() => resolve('slow'), timeoutMs)
  worker.addEventListener('message', ({ data }: MessageEvent<string[][] | SheetProblem>) => resolve(data))
  worker.addEventListener('error', () => resolve('broken'))
  worker.postMessage(content, typeof content === 'string' ? [] : [content.buffer])
  try {
    return await promise
  } finally {
    clearTimeout(timeout)
    worker.terminate()
  }
}
