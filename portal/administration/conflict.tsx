import { useState } from 'react'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { reload } from './queries.ts'

/** Another user saved first: nothing is overwritten, and what was typed stays until the present state is asked for. */
export function useConflict() {
  const [met, setMet] = useState(false)
  async function watch<Answer>(sent: Promise<Answer>): Promise<Answer> {
    try {
      setMet(false)
      return await sent
    } catch (error) {
      setMet(isRefusedAs(error, 'administration.changed_meanwhile'))
      throw error
    }
  }
  return { met, watch }
}

export function ShowPresent() {
  const { words } = useWords()
  return (
    <Button look="quiet" icon="repeat" className="justify-self-start" onClick={() => void reload()}>
      {words('administration.show_present')}
    </Button>
  )
}
