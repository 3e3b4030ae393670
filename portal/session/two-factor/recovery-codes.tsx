import { useState } from 'react'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** Shows new recovery codes once. Users without their phone need one to sign in. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { words } = useWords()
  const [copied, setCopied] = useState(false)
  const text = codes.join('\n')
  return (
    <div className="grid gap-4">
      <Callout tone="warning">{words('account.recovery.intro')}</Callout>
      <ul
        aria-label={words('account.recovery.title')}
        className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-1 rounded-lg bg-sunken p-3"
      >
        {codes.map(code => (
          <li key={code} className="text-center">
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-2 max-sm:*:flex-1">
        <Button
          look="quiet"
          icon={copied ? 'check' : 'copy'}
          onClick={() => void navigator.clipboard?.writeText(text).then(() => setCopied(true))}
        >
          {words(copied ? 'account.recovery.copied' : 'account.recovery.copy')}
        </Button>
        <Button look="quiet" icon="download" onClick={() => save(text)}>
          {words('account.recovery.save')}
        </Button>
        <Button data-first onClick={onDone}>
          {words('account.recovery.done')}
        </Button>
      </div>
    </div>
  )
}

function save(text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
  link.download = 'portolan-codes.txt'
  link.click()
  URL.revokeObjectURL(link.href)
}
