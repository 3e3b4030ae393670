import { useFormat } from '#portal/kit/format.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { canShow, sizeOf } from '#portal/documents/upload/shown.ts'
import type { TicketDetail } from '../use-tickets.ts'

/** The messages on a ticket, from both sides. */
export function Thread({ detail: { thread } }: { detail: TicketDetail }) {
  const { words } = useWords()
  const { moment } = useFormat()
  return (
    <section className="grid gap-3">
      <h3 className="text-lg font-semibold">{words('tickets.messages')}</h3>
      {thread.length === 0 && <p className="text-quiet">{words('tickets.no_messages')}</p>}
      <ol className="grid gap-3">
        {thread.map(({ uuid, at, author, support, text, files }) => (
          <li
            key={uuid}
            className={`grid max-w-[90%] gap-2 rounded-lg border border-line px-3 py-2 ${support ? 'bg-accent-soft' : 'justify-self-end bg-sheet'}`}
          >
            <p className="flex flex-wrap justify-between gap-x-4 text-sm text-quiet">
              <span className="font-medium text-ink">{support ? words('tickets.support', { name: author }) : author}</span>
              <time dateTime={at}>{moment(at)}</time>
            </p>
            <p className="wrap-anywhere whitespace-pre-line">{text}</p>
            <FileList files={files} />
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Links to download files. Images that browsers can show have a preview. */
export function FileList({ files }: { files: TicketDetail['files'] }) {
  const { words } = useWords()
  if (files.length === 0) return null
  return (
    <ul aria-label={words('tickets.files')} className="flex flex-wrap gap-2">
      {files.map(({ uuid, name, mediaType, size }) => (
        <li key={uuid} className="max-w-full">
          <a
            href={`/api/files/${uuid}`}
            download={name}
            className="flex min-h-11 items-center gap-2 rounded-md border border-line bg-sheet px-2 py-1 hover:bg-sunken"
          >
            {canShow(mediaType) ? (
              <img src={`/api/files/${uuid}`} alt="" loading="lazy" className="size-9 rounded-sm object-cover" />
            ) : (
              <Icon name="file" className="size-5 text-quiet" />
            )}
            <span className="truncate">{name}</span>
            <span className="text-sm whitespace-nowrap text-quiet">{sizeOf(size)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
