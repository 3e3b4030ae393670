import { Page } from '#portal/kit/ui/page.tsx'
import { useWords } from '#portal/kit/words.tsx'

export function CustomerServicePage() {
  const { words } = useWords()
  return <Page title={words('shell.menu.customer_service')}>{null}</Page>
}
