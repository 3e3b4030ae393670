import { Button } from '#portal/kit/ui/button.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Filed } from './ticket-form.tsx'

/** Confirms a filed ticket: its reference, and the address that gets the email. */
export function FiledCard({ filed, onOpen }: { filed: Filed; onOpen: () => void }) {
  const { words } = useWords()
  const copy = () =>
    void navigator.clipboard.writeText(filed.reference).then(() => showToast({ severity: 'success', summary: words('tickets.copied') }))
  return (
    <div role="status">
      <Card>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <span className="grid size-11 place-items-center rounded-full bg-success-soft text-success">
            <Icon name="check-circle" className="size-6" />
          </span>
          <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
            <p className="text-quiet">{words('tickets.filed')}</p>
            <p className="flex items-center gap-1 text-2xl font-semibold tracking-tight" data-reference={filed.reference}>
              {filed.reference}
              <IconButton icon="copy" label={words('tickets.copy')} onClick={copy} />
            </p>
            <p className="text-quiet">{words('tickets.filed_mail', { email: filed.email })}</p>
          </div>
          <Button look="quiet" onClick={onOpen}>
            {words('tickets.see')}
          </Button>
        </div>
      </Card>
    </div>
  )
}
