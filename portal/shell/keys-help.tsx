import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'

const keys = [
  ['Ctrl K', 'shell.keys.palette'],
  ['/', 'shell.keys.search'],
  ['?', 'shell.keys.help'],
  ['↑ ↓ j k', 'shell.keys.move'],
  ['Enter', 'shell.keys.open'],
  ['x', 'shell.keys.select'],
  ['e', 'shell.keys.mail'],
  ['p', 'shell.keys.paste'],
  ['Esc', 'shell.keys.close'],
] as const

export function KeysHelp({ onClose }: { onClose: () => void }) {
  const { words } = useWords()
  const maySell = useMay('b2b-products-sell')
  const offered = keys.filter(([, label]) => maySell || label !== 'shell.keys.paste')
  return (
    <Dialog open onClose={onClose} title={words('shell.keys.title')} size="small">
      <dl className="grid gap-1">
        {offered.map(([key, label]) => (
          <div key={key} className="flex items-center justify-between gap-4 border-b border-line py-1.5 last:border-0">
            <dt className="text-quiet">{words(label)}</dt>
            <dd>
              <kbd className="rounded-sm border border-line bg-sunken px-1.5 py-0.5 text-xs font-medium">{key}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
