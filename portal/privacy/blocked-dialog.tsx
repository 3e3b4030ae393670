import { useRef, useState } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import { openBlocked } from '#common/privacy/calls.ts'
import { ReasonDialog } from '#portal/administration/reason-dialog.tsx'
import { Facts } from '#portal/administration/record.tsx'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { BlockedContent } from './blocked-content.tsx'
import { type Place, placeName } from './person.ts'

/** Opens the blocked data of one object, once a reason is given. The browser stores none of it. */
export function BlockedDialog({ place, onClose }: { place: Place; onClose: () => void }) {
  const { words } = useWords()
  const { kind, uuid } = place
  const { date, moment } = useFormat()
  const [shown, setShown] = useState<ResponseOf<typeof openBlocked>>()
  const isOpened = useRef(false)
  if (kind === 'budget') return null
  if (!shown)
    return (
      <ReasonDialog
        title={words('privacy.open_title')}
        description={words('privacy.open_hint')}
        button={words('privacy.open')}
        onSend={async reason => {
          setShown(await ask(openBlocked, { kind, uuid, reason }))
          isOpened.current = true
        }}
        // The reason dialog closes by itself after the response, and the content replaces it.
        onClose={() => isOpened.current || onClose()}
      />
    )
  return (
    <Dialog open onClose={onClose} title={placeName(place, words)}>
      <Facts
        facts={[
          [words('administration.unit'), shown.businessUnit.brandName],
          [words('privacy.column_because'), words('privacy.cause', { cause: shown.cause })],
          [words('privacy.blocked_at'), moment(shown.blockedAt)],
          [words('privacy.column_erased'), date(shown.until)],
        ]}
      />
      <BlockedContent opened={shown} name={placeName(place, words)} />
    </Dialog>
  )
}
