import { useQuery } from '@tanstack/react-query'
import { twoFactor } from '#common/session/account-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { signsInElsewhere } from '../external-sign-in.ts'
import { PasswordCard } from './password-card.tsx'
import { PersonCard } from './person-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

/** What somebody does with his own account. Where somebody else signs in, password and codes are his business. */
export function MyProfile() {
  const own = !signsInElsewhere()
  const factor = useQuery({ queryKey: ['two-factor'], queryFn: ({ signal }) => ask(twoFactor, {}, { signal }), enabled: own })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-(--card) xl:grid-cols-2">
      <PersonCard />
      {own && <PasswordCard />}
      {own && <TwoFactorCard query={factor} />}
      <SessionsCard />
    </div>
  )
}
