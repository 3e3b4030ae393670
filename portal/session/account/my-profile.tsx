import { useQuery } from '@tanstack/react-query'
import { twoFactor } from '#common/session/account-calls.ts'
import { loadingOf } from '#portal/kit/queries.ts'
import { hasExternalSignIn } from '../external-sign-in.ts'
import { PasswordCard } from './password-card.tsx'
import { PersonCard } from './person-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

/** The settings of the user's own account. With external sign-in, password and codes are managed elsewhere. */
export function MyProfile() {
  const hasPassword = !hasExternalSignIn()
  const factor = useQuery({ queryKey: ['two-factor'], ...loadingOf(twoFactor, {}), enabled: hasPassword })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-(--card) xl:grid-cols-2">
      <PersonCard />
      {hasPassword && <PasswordCard />}
      {hasPassword && <TwoFactorCard query={factor} />}
      <SessionsCard />
    </div>
  )
}
