import { useRouter } from '@tanstack/react-router'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { ErrorScreen } from './status-screen.tsx'

/** A page that does not exist: what happened, and where to go. */
export function LostPage() {
  const { words } = useWords()
  const { history } = useRouter()
  const { pathname } = history.location
  return (
    <ErrorScreen status={404} title={words('lost.title')} message={words('lost.path', { path: pathname })}>
      <p className="max-w-lg text-quiet">{words('lost.hint')}</p>
      {window.history.length > 1 && (
        <Button look="quiet" icon="arrow-left" onClick={() => history.back()}>
          {words('lost.back')}
        </Button>
      )}
    </ErrorScreen>
  )
}
