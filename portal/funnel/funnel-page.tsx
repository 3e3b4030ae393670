import { Page } from '#portal/kit/ui/page.tsx'
import { useWords } from '#portal/kit/words.tsx'

export function FunnelPage() {
  const { words } = useWords()
  return <Page title={words('shell.menu.funnel')}>{null}</Page>
}
