import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { policyCan } from '#common/policies/states.ts'
import { shortcut } from '#portal/kit/shortcuts/shortcuts.ts'
import { Button, buttonLook } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import type { Row } from '../list-params.ts'

type Props = {
  policy: Row
  /** The deeds of a sold policy, and the one that ends it. */
  deeds: ReactNode
  end: ReactNode
  onSend: () => void
  onDelete: () => void
}

/** The actions that the policy's status and the user's permissions allow, the main one first. */
export function Actions({ policy, deeds, end, onSend, onDelete }: Props) {
  const { words } = useWords()
  const maySell = useMay('b2b-products-sell')
  const mayChange = useMay('b2b-policies-change')
  const { policyUuid } = policy
  const resumes = maySell && policyCan('resume', policy)
  const hasOtherMain = resumes || (mayChange && deeds !== undefined)
  return (
    <>
      {deeds}
      {resumes && (
        <Link to="/funnel" search={{ policy: policyUuid }} className={`${buttonLook('main')} max-sm:flex-1`}>
          <Icon name="arrow-right" /> {words('policies.resume')}
        </Link>
      )}
      {policyCan('send', policy) && (
        <Button {...shortcut('mail')} look={hasOtherMain ? 'quiet' : 'main'} icon="mail" onClick={onSend} className="max-sm:flex-1">
          {words('policies.send')}{' '}
          <kbd aria-hidden="true" className="rounded-sm border px-1 text-xs pointer-coarse:hidden">
            E
          </kbd>
        </Button>
      )}
      {maySell && policyCan('copy', policy) && (
        <Link to="/funnel" search={{ copy: policyUuid }} className={`${buttonLook('quiet')} max-sm:flex-1`}>
          <Icon name="copy" /> {words('policies.copy')}
        </Link>
      )}
      {maySell && policyCan('delete', policy) && (
        <Button look="plain" onClick={onDelete} className="ml-auto text-danger! max-sm:flex-1">
          {words('policies.delete')}
        </Button>
      )}
      {end}
    </>
  )
}
