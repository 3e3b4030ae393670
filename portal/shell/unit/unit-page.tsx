import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSettings } from '#portal/business-unit/settings.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Page } from '#portal/kit/page/page.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { reloadUnitNow } from './use-reload.ts'

/** Stands in place of every page until the settings and products are loaded, and then leads to the page. */
export function UnitPage({ cause }: { cause: unknown }) {
  const { words } = useWords()
  const router = useRouter()
  // Once, as the router draws this page anew while it loads the other one.
  useEffect(() => useSettings.subscribe(({ settings }, before) => settings && !before.settings && void router.invalidate()), [router])
  return (
    <Page title={words('lost.unit_missing')}>
      <LoadError error={cause} retry={reloadUnitNow} />
    </Page>
  )
}
