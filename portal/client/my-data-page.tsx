import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { openCopy } from '#common/privacy/calls.ts'
import { errorMessage, isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { askForFile, saveFile } from '#portal/kit/file/save-file.ts'
import { SheetPage } from '#portal/kit/page/sheet-page.tsx'
import { FormError } from '#portal/kit/submit/form-error.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { wide } from './frame.tsx'

/**
 * A person's copy of their data, by the link of a mail. The token stays in the part of the address that reaches no server. Only the button spends the
 * link: a program that opens it to look for harm does not.
 */
export function MyDataPage() {
  const { words } = useWords()
  const token = useLocation({ select: ({ hash }) => hash })
  const [busy, setBusy] = useState(false)
  const [ended, setEnded] = useState<'copy.done' | 'copy.dead' | undefined>(token === '' ? 'copy.dead' : undefined)
  const [error, setError] = useState<unknown>()
  async function get() {
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      saveFile(await askForFile(openCopy, { token }))
      setEnded('copy.done')
    } catch (failure) {
      if (isRefusedAs(failure, 'request.not_found')) setEnded('copy.dead')
      else setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <SheetPage title={words('copy.title')}>
      <output className="text-quiet">{words(ended ?? 'copy.intro')}</output>
      {!ended && (
        <Button className={wide} busy={busy} onClick={() => void get()}>
          {words('copy.get')}
        </Button>
      )}
      <FormError text={error === undefined ? undefined : errorMessage(error, words)} />
    </SheetPage>
  )
}
