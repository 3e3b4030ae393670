import { useState } from 'react'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { reload } from './queries.ts'

/** Detects that another user saved first. Nothing is overwritten: the form keeps its values until the user loads the latest version. */
export function useConflict() {
  const [hasConflict, setHasConflict] = useState(false)
  async function watch<Reply>(saving: Promise<Reply>): Promise<Reply> {
    try {
      setHasConflict(false)
      return await saving
    } catch (error) {
      setHasConflict(isRefusedAs(error, 'administration.changed_meanwhile'))
      throw error
    }
  }
  return { hasConflict, watch }
}

export function LoadLatest() {
  const { words } = useWords()
  return (
    <Button look="quiet" icon="repeat" className="justify-self-start" onClick={() => void reload()}>
      {words('administration.show_present')}
    </Button>
  )
}
