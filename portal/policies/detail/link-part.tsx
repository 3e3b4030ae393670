import { useState } from 'react'
import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { useFormat } from '#portal/kit/format.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { policiesChanged, type PolicyDetail } from '../policy-query.ts'
import { Part, Row } from './part.tsx'

/** A quote's link for its client: what the client did with it, and a button that ends all open ones. */
export function LinkPart({ detail: { link, policy }, revoke }: { detail: PolicyDetail; revoke: (policyUuid: string) => Promise<number> }) {
  const { words } = useWords()
  const { moment } = useFormat()
  const maySell = useMay('b2b-products-sell')
  const [busy, setBusy] = useState(false)
  if (!link) return null
  const { sentAt, openedAt, completedAt, decision, reason, decidedAt, proofSha256, proofUuid, revokedAt, open } = link
  const steps = [
    { name: words('share.sent'), at: sentAt },
    { name: words('share.opened'), at: openedAt },
    { name: words('share.completed'), at: completedAt },
    ...(decision
      ? [{ name: words('share.decision', { decision }), at: decidedAt, detail: reason && words('share.reason', { reason }) }]
      : []),
    { name: words('share.ended'), at: revokedAt },
  ]
  async function end() {
    if (busy) return
    setBusy(true)
    try {
      const count = await revoke(policy.policyUuid)
      await policiesChanged()
      showToast({ severity: 'success', summary: words('share.revoked', { count }) })
    } catch (error) {
      showToast({ severity: 'error', summary: errorMessage(error, words) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Part
      title={words('share.title')}
      action={
        open &&
        maySell && (
          <Button look="plain" busy={busy} onClick={() => void end()}>
            {words('share.revoke')}
          </Button>
        )
      }
    >
      <ul>
        {steps.map(({ name, at, detail }) =>
          at === null ? null : (
            <Row key={name} name={name} detail={detail}>
              {moment(at)}
            </Row>
          ),
        )}
        {proofSha256 && (
          <Row name={words('share.proof')} detail={<span className="break-all">{proofSha256}</span>}>
            {proofUuid && (
              <a href={`/api/files/${proofUuid}`} target="_blank" rel="noreferrer" className="underline underline-offset-4">
                PDF
              </a>
            )}
          </Row>
        )}
      </ul>
    </Part>
  )
}
