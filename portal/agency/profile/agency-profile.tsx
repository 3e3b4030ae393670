import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { agency } from '#common/agency/calls.ts'
import { loadingOf } from '#portal/kit/queries.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useMay } from '#portal/session/session.ts'
import { Changes } from './changes.tsx'
import { ManagedCard, ReadOnlyProfile } from './read-only.tsx'

/** Only users who may change the profile load its form. */
const ProfileForm = lazy(() => import('./profile-form.tsx').then(({ ProfileForm }) => ({ default: ProfileForm })))
const LogoCard = lazy(() => import('./logo-card.tsx').then(({ LogoCard }) => ({ default: LogoCard })))

/** The agency's profile: a form for users who may change it, else read-only. */
export function AgencyProfile() {
  const mayChange = useMay('b2b-agency-update')
  const { data, error, refetch } = useQuery({ queryKey: ['agency'], ...loadingOf(agency, {}) })
  if (error && !data) return <LoadError error={error} retry={() => void refetch()} />
  const loading = (
    <Loading className="grid gap-(--card) lg:grid-cols-[minmax(0,1fr)_22rem]">
      <Skeleton className="h-128 w-full" />
      <Skeleton className="h-80 w-full" />
    </Loading>
  )
  if (!data) return loading
  return (
    <Suspense fallback={loading}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-(--card) lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-(--card)">
          {mayChange ? <ProfileForm profile={data} /> : <ReadOnlyProfile profile={data} />}
          <Changes />
        </div>
        <div className="grid gap-(--card)">
          {mayChange ? <LogoCard profile={data} /> : <Logo logo={data.logo} />}
          <ManagedCard profile={data} />
        </div>
      </div>
    </Suspense>
  )
}

const Logo = ({ logo }: { logo: string }) => (
  <Card>
    <img src={logo} alt="" className="size-24 justify-self-center object-contain" />
  </Card>
)
