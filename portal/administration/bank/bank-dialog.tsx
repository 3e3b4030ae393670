import { useState } from 'react'
import { mostBooked, mostBytes } from '#common/accounting/bank/entry.ts'
import { bookBankEntries, readBankFile } from '#common/administration/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { Refusals, useRefusals } from '#portal/kit/errors/failure.tsx'
import { FileDrop } from '#portal/kit/field/file-drop.tsx'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { reload } from '../use-records.ts'
import { BankEntries } from './bank-entries.tsx'
import { type Draft, draftOf, toBook } from './choices.ts'

const endings = ['.xml', '.txt', '.n43', '.q43', '.c43', '.043', '.aeb', '.dat']

/** Reads a bank's file, proposes the agency of each entry, and books the confirmed ones. */
export function BankDialog({ onClose }: { onClose: () => void }) {
  const { words } = useWords()
  const [draft, setDraft] = useState<Draft>()
  const { problems, busy, run } = useRefusals()
  const chosen = draft ? toBook(draft) : []

  const load = (source: Blob) =>
    run(async () => {
      const file = await base64Of(source)
      setDraft(draftOf(file, await ask(readBankFile, { file })))
    })
  const book = ({ file }: Draft) =>
    run(async () => {
      const { booked, before, by_hand: byHand } = await bookAll(file, chosen)
      setDraft(draftOf(file, await ask(readBankFile, { file })))
      await reload()
      const details = [
        before > 0 ? words('bank.before', { count: before }) : '',
        byHand > 0 ? words('bank.by_hand_now', { count: byHand }) : '',
      ].filter(Boolean)
      showToast({
        severity: byHand > 0 ? 'warn' : 'success',
        summary: words('bank.booked', { count: booked }),
        ...(details.length > 0 ? { detail: details.join(' · ') } : {}),
      })
    })
  return (
    <Dialog
      open
      onClose={onClose}
      busy={busy}
      size="wide"
      title={words('bank.title')}
      description={words('bank.intro')}
      actions={
        draft && (
          <>
            <Button look="quiet" aria-disabled={busy} onClick={() => busy || setDraft(undefined)}>
              {words('bank.other_file')}
            </Button>
            <Button busy={busy} aria-disabled={chosen.length === 0} onClick={() => chosen.length > 0 && void book(draft)}>
              {words('bank.book', { count: chosen.length })}
            </Button>
          </>
        )
      }
    >
      <Refusals title={words('bank.refused')} problems={problems} />
      {draft ? (
        <BankEntries draft={draft} busy={busy} onChange={setDraft} />
      ) : (
        <FileDrop
          label={words('bank.file')}
          hint={words('bank.file_hint')}
          name="bankFile"
          value={[]}
          accept={endings}
          megabytes={mostBytes / 1_000_000}
          disabled={busy}
          onChange={([file]) => file && void load(file)}
        />
      )}
    </Dialog>
  )
}

/** Books in batches. Returns how many were booked now, how many earlier, and how many may have been booked by hand. */
async function bookAll(file: string, chosen: ReturnType<typeof toBook>) {
  const counts = { booked: 0, before: 0, by_hand: 0 }
  for (let from = 0; from < chosen.length; from += mostBooked) {
    const { outcomes } = await ask(bookBankEntries, { file, entries: chosen.slice(from, from + mostBooked) })
    for (const { outcome } of outcomes) counts[outcome] += 1
  }
  return counts
}

async function base64Of(source: Blob): Promise<string> {
  const bytes = new Uint8Array(await source.arrayBuffer())
  const piece = 30_000
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, index) =>
    btoa(String.fromCodePoint(...bytes.subarray(index * piece, (index + 1) * piece))),
  )
  return pieces.join('')
}
