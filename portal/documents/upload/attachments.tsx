import { useRef, useState } from 'react'
import { fileMegabytes } from '#common/kit/files.ts'
import type { FieldMessage } from '#portal/kit/field/field.tsx'
import { FileDrop } from '#portal/kit/field/file-drop.tsx'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { canShow, sizeOf } from './shown.ts'
import { acceptedEndings, type Upload, type Uploads, useUploadsOf } from './uploads.ts'

type Props = {
  uploads: Uploads
  /** The name of the form. */
  name: string
  label: string
  /** The name of the field. */
  field?: string
  error?: FieldMessage | undefined
}

/** The files of a form: dropped, chosen or photographed. Each is uploaded at once and shows its progress. */
export function Attachments({ uploads, name, label, field = 'files', error }: Props) {
  const { words } = useWords()
  const { most, roomIn, addFiles } = uploads
  const files = useUploadsOf(uploads, name)
  const camera = useRef<HTMLInputElement>(null)
  const isFull = roomIn(name) === 0
  /** If the form has its maximum number of files, a toast says so. */
  function takePhoto() {
    if (isFull) showToast({ severity: 'info', summary: words('upload.most', { count: most }) })
    else camera.current?.click()
  }
  return (
    <div className="grid gap-2">
      <FileDrop
        label={label}
        hint={words('upload.most', { count: most })}
        name={field}
        multiple={most > 1}
        value={[]}
        onChange={chosen => addFiles(name, chosen)}
        accept={acceptedEndings}
        megabytes={fileMegabytes}
        disabled={isFull}
        error={error}
      />
      <div className="hidden pointer-coarse:block">
        <Button look="quiet" icon="upload" className="w-full" aria-disabled={isFull} onClick={takePhoto}>
          {words('upload.take_photo')}
        </Button>
        <input
          ref={camera}
          type="file"
          accept="image/*"
          capture="environment"
          tabIndex={-1}
          aria-hidden="true"
          className="hidden"
          onChange={event => {
            addFiles(name, [...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
      </div>
      {files.length > 0 && (
        <ul aria-label={label} className="grid gap-2 sm:grid-cols-2">
          {files.map(file => (
            <FileRow key={file.id} uploads={uploads} file={file} name={name} />
          ))}
        </ul>
      )}
    </div>
  )
}

function FileRow({ uploads: { remove, resume }, file, name }: { uploads: Uploads; file: Upload; name: string }) {
  const { words } = useWords()
  const { state, share } = file
  return (
    <li
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 rounded-md border border-line bg-sheet p-2"
      data-state={state}
    >
      <Picture file={file} />
      <div className="grid min-w-0 gap-0.5">
        <span className="truncate">{file.name}</span>
        <span role="status" className={`text-sm ${state === 'refused' ? 'text-danger' : 'text-quiet'}`}>
          {state === 'refused' ? file.reason : state === 'there' ? sizeOf(file.size) : words(stateWords[state])}
        </span>
        {(state === 'sending' || state === 'waiting') && (
          <progress aria-label={words('upload.progress', { name: file.name })} value={share} className="progress" />
        )}
      </div>
      <span className="flex">
        {state === 'paused' && (
          <IconButton icon="repeat" label={words('upload.send_again', { name: file.name })} onClick={() => resume(name)} />
        )}
        <IconButton icon="x" label={words('ui.file.remove', { name: file.name })} onClick={() => remove(name, file)} />
      </span>
    </li>
  )
}

const stateWords = { waiting: 'upload.waiting', sending: 'upload.sending', paused: 'upload.paused' } as const

/** Previews images that browsers can show. A click enlarges them. */
function Picture({ file }: { file: Upload }) {
  const { words } = useWords()
  const [open, setOpen] = useState(false)
  const source = file.preview ?? (file.uuid && canShow(file.mediaType) ? `/api/files/${file.uuid}` : undefined)
  if (!source)
    return (
      <span className="grid size-11 place-items-center rounded-sm bg-sunken text-quiet">
        <Icon name="file" className="size-5" />
      </span>
    )
  return (
    <>
      <button
        type="button"
        aria-label={words('upload.preview', { name: file.name })}
        onClick={() => setOpen(true)}
        className="size-11 overflow-hidden rounded-sm"
      >
        <img src={source} alt="" className="size-full object-cover" />
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} size="large" title={file.name}>
        <img src={source} alt={file.name} className="max-h-[70dvh] w-full object-contain" />
      </Dialog>
    </>
  )
}
