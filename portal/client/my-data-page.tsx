import { useRef, useState } from 'react'
import { openCopy } from '#common/privacy/calls.ts'
import { errorMessage, isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { askForFile, saveFile } from '#portal/kit/file/save-file.ts'
import { SheetPage } from '#portal/kit/page/sheet-page.tsx'
import { FormError } from '#portal/kit/submit/submit.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { wide } from './frame.tsx'
import { useToken } from './token.ts'

/**
 * A person's copy of their data, opened by the link in an email. The token is in the fragment of the URL, which reaches no server. Only the button
 * spends the link, so a virus scanner that opens it does not.
 */
export function MyDataPage() {
  const token = useToken()
  return <MyData key={token} token={token} />
}

function MyData({ token }: { token: string }) {
  const { words } = useWords()
  const said = useRef<HTMLOutputElement>(null)
  const [busy, setBusy] = useState(false)
  const [ended, setEnded] = useState<'copy.done' | 'copy.dead' | undefined>(token === '' ? 'copy.dead' : undefined)
  const [error, setError] = useState<unknown>()
  /** The button disappears, so the focus moves to the result. */
  function end(how: typeof ended) {
    setEnded(how)
    said.current?.focus()
  }
  async function get() {
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      saveFile(await askForFile(openCopy, { token }))
      end('copy.done')
    } catch (failure) {
      if (isRefusedAs(failure, 'request.not_found')) end('copy.dead')
      else setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <SheetPage title={words('copy.title')}>
      <output ref={said} tabIndex={-1} className="text-quiet outline-none">
        {words(ended ?? 'copy.intro')}
      </output>
      {!ended && (
        <Button className={wide} busy={busy} onClick={() => void get()}>
          {words('copy.get')}
        </Button>
      )}
      <FormError text={error === undefined ? undefined : errorMessage(error, words)} />
    </SheetPage>
  )
}
