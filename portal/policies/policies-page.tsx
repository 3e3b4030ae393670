import { Page } from '#portal/kit/ui/page.tsx'
import { useWords } from '#portal/kit/words.tsx'

export function PoliciesPage() {
  const { words } = useWords()
  return <Page title={words('shell.menu.policies')}>{null}</Page>
}
