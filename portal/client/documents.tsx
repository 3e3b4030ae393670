import { useState } from 'react'
import { clientFile, type ClientPolicy } from '#common/client/calls.ts'
import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { askForFile, saveFile } from '#portal/kit/file/save-file.ts'
import { FormError } from '#portal/kit/submit/submit.tsx'
import { Icon, Turning } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { inLanguage, Part, Sheet } from './parts.tsx'

type Document = ClientPolicy['can']['documents'][number]
type Props = { token: string; documents: readonly Document[]; page: Pick<ClientPolicy, 'locale'>; level?: 2 | 3 }

/** The documents of a policy or quote, fetched with the token in the body, so that none has a URL. */
export function Documents({ token, documents, page, level }: Props) {
  const { words } = useWords()
  const [busy, setBusy] = useState<string>()
  const [error, setError] = useState<unknown>()
  const isEarlier = ({ current }: Document) => current === false
  const earlier = documents.filter(isEarlier)
  if (documents.length === 0) return null
  async function open(fileUuid: string) {
    if (busy) return
    setBusy(fileUuid)
    setError(undefined)
    try {
      saveFile(await askForFile(clientFile, { token, fileUuid }))
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(undefined)
    }
  }
  const list = (shown: readonly Document[]) => (
    <ul lang={inLanguage(page)}>
      {shown.map(({ uuid, label }) => (
        <li key={uuid} className="border-t border-hair first:border-0">
          <button
            type="button"
            aria-busy={busy === uuid || undefined}
            onClick={() => void open(uuid)}
            className="grid min-h-14 w-full py-2 grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-3 text-left hover:underline"
          >
            <Icon name="file" className="size-5 text-faint" />
            {label}
            {busy === uuid ? <Turning className="size-5" /> : <Icon name="download" className="size-5 text-faint" />}
          </button>
        </li>
      ))}
    </ul>
  )
  return (
    <Part title={words('client.documents')} level={level}>
      <Sheet className="py-1!">
        {list(documents.filter(document => !isEarlier(document)))}
        {earlier.length > 0 && (
          <details className="border-t border-hair">
            <summary className="flex min-h-14 cursor-pointer items-center">
              {words('client.documents_earlier', { count: earlier.length })}
            </summary>
            {list(earlier)}
          </details>
        )}
      </Sheet>
      <FormError text={error === undefined ? undefined : errorMessage(error, words)} />
    </Part>
  )
}
