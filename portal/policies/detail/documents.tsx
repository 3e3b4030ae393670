import { useState } from 'react'
import { sizeOf } from '#portal/documents/upload/shown.ts'
import { Disclosure } from '#portal/kit/page/disclosure.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { PolicyDetail } from '../policy-query.ts'
import { Part } from './part.tsx'

type Props = { detail: PolicyDetail; onSend: ((fileUuid: string) => void) | undefined }

/** The documents that hold now, and folded the earlier ones. Each can be opened, downloaded and, while the policy can be sent, emailed. */
export function Documents({ detail: { files, policy }, onSend }: Props) {
  const { words } = useWords()
  const [busy, setBusy] = useState(false)
  if (files.length === 0) return null
  const earlier = files.filter(({ current }) => !current)
  async function saveAll() {
    setBusy(true)
    const { saveDocuments } = await import('../save-documents.ts')
    await saveDocuments([policy], words)
    setBusy(false)
  }
  return (
    <Part
      title={words('policies.documents')}
      action={
        <Button look="plain" icon="download" busy={busy} onClick={() => void saveAll()} className="-mr-2">
          {words('policies.download_all', { count: files.length })}
        </Button>
      }
    >
      <FileList files={files.filter(({ current }) => current)} onSend={onSend} />
      {earlier.length > 0 && (
        <Disclosure summary={words('policies.documents_earlier', { count: earlier.length })}>
          <FileList files={earlier} onSend={onSend} />
        </Disclosure>
      )}
    </Part>
  )
}

function FileList({ files, onSend }: Pick<PolicyDetail, 'files'> & Pick<Props, 'onSend'>) {
  const { words } = useWords()
  return (
    <ul>
      {files.map(({ uuid, name, label, file }) => (
        <li key={uuid} className="flex items-center border-b border-hair last:border-0">
          <a
            href={file}
            target="_blank"
            rel="noreferrer"
            className="flex min-h-(--control) min-w-0 flex-1 items-center gap-2.5 underline underline-offset-4"
          >
            <Icon name="file" className="size-4 text-quiet" /> <span className="truncate">{label}</span>
          </a>
          <a
            href={file}
            download={name}
            aria-label={words('policies.download', { name: label })}
            className="inline-flex min-h-(--control) min-w-(--control) items-center justify-center rounded-md text-quiet hover:bg-sunken hover:text-ink"
          >
            <Icon name="download" />
          </a>
          {onSend && (
            <IconButton icon="mail" label={words('policies.send_file', { name: label })} onClick={() => onSend(uuid)} className="-mr-2" />
          )}
        </li>
      ))}
    </ul>
  )
}

/** The document that the policyholder provided. */
export function BroughtDocument({ detail: { uploadFile } }: Pick<Props, 'detail'>) {
  const { words } = useWords()
  if (!uploadFile) return null
  const { uuid, name, size } = uploadFile
  return (
    <Part title={words('policies.upload_file')}>
      <a
        href={`/api/files/${uuid}`}
        download={name}
        className="flex min-h-(--control) min-w-0 items-center gap-2.5 underline underline-offset-4"
      >
        <Icon name="file" className="size-4 text-quiet" /> <span className="truncate">{name}</span>
        <span className="text-sm whitespace-nowrap text-quiet">{sizeOf(size)}</span>
      </a>
    </Part>
  )
}
