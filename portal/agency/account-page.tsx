import { Page } from '#portal/kit/ui/page.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { MyProfile } from '#portal/session/account/my-profile.tsx'

export function AccountPage() {
  const { words } = useWords()
  return (
    <Page title={words('shell.menu.account')}>
      <MyProfile />
    </Page>
  )
}
