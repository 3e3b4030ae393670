import { Page } from '#portal/kit/ui/page.tsx'
import { useWords } from '#portal/kit/words.tsx'

export function ClaimPage() {
  const { words } = useWords()
  return <Page title={words('shell.menu.claims')}>{null}</Page>
}
