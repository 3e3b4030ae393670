import { startTransition, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ImportedRow } from '#common/policies/import/cells.ts'
import type { ImportProblem } from '#common/policies/import/file.ts'
import { mostBytes, mostRows, mostUnpacked } from '#common/policies/import/file.ts'
import { FileDrop } from '#portal/kit/field/file-drop.tsx'
import { TextArea } from '#portal/kit/field/text-field.tsx'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { showAlert } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import { type Draft, type How, newDraft } from './draft.ts'
import { Preview } from './preview.tsx'
import { read } from './reading.ts'

type Props = {
  second: boolean
  /** How many rows the form has that say more than a birth date, and that say anything. */
  typed: { named: number; any: number }
  most: number
  onTake: (rows: ImportedRow[], how: How) => void
  onClose: () => void
}

/** A list of those who travel too: chosen or pasted, looked at, mended, and only then taken. It stays in this browser. */
export function ImportDialog({ second, typed, most, onTake, onClose }: Props) {
  const { words } = useWords()
  const [draft, setDraft] = useState<Draft>()
  const [fault, setFault] = useState<ImportProblem>()
  const [busy, setBusy] = useState(false)
  const [how, setHow] = useState<How>(typed.named > 0 ? 'after' : 'instead')

  async function take(source: Blob | string) {
    setBusy(true)
    setFault(undefined)
    const table = await read(source).catch((): ImportProblem => 'broken')
    setBusy(false)
    if (typeof table === 'string') return setFault(table)
    startTransition(() => setDraft(newDraft(table, second)))
  }
  /** What was mended is not thrown away without a question. */
  const leave = (go: () => void) => {
    if (!draft?.mended) return go()
    void showAlert({ mode: 'confirm', title: words('people.import.leave_title'), description: words('people.import.leave') }).then(
      confirmed => confirmed && go(),
    )
  }
  // Outside of the form around it: the Enter key here sends nothing.
  return createPortal(
    draft ? (
      <Preview
        draft={draft}
        second={second}
        most={most}
        typed={typed.any}
        how={how}
        onHow={setHow}
        onChange={setDraft}
        onBack={() => leave(() => setDraft(undefined))}
        onClose={() => leave(onClose)}
        onTake={rows => onTake(rows, how)}
      />
    ) : (
      <Dialog open onClose={onClose} size="large" title={words('people.import.title')} description={words('people.import.intro')}>
        <div role="alert" className="empty:hidden">
          {fault && <Callout tone="danger" title={faultWords(fault, words)} />}
        </div>
        <Sources busy={busy} second={second} onSource={source => void take(source)} />
      </Dialog>
    ),
    document.body,
  )
}

function Sources({ busy, second, onSource }: { busy: boolean; second: boolean; onSource: (source: Blob | string) => void }) {
  const { words } = useWords()
  const [pasted, setPasted] = useState('')
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
        name="importCells"
        value={pasted}
        onChange={event => setPasted(event.target.value)}
        onPaste={event => {
          const text = event.clipboardData.getData('text/plain')
          // Into the empty field: this is the list. Into the middle of a text: somebody is still at it.
          if (pasted === '' && text.trim() !== '') onSource(text)
        }}
        spellCheck={false}
      />
      <div className="flex flex-wrap gap-2">
        <Button busy={busy} disabled={pasted.trim() === ''} onClick={() => onSource(pasted)}>
          {words('people.import.view')}
        </Button>
        <Button look="quiet" icon="download" onClick={() => void saveTemplate(words, second)}>
          {words('people.import.template')}
        </Button>
      </div>
    </>
  )
}

async function saveTemplate(words: Words, second: boolean): Promise<void> {
  const [{ template }, { saveFile }] = await Promise.all([import('./template.ts'), import('#portal/kit/save-file.ts')])
  saveFile(await template(words, second))
}

function faultWords(fault: ImportProblem, words: Words): string {
  switch (fault) {
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
