import { useState } from 'react'
import { Refused } from '#portal/kit/ask.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { changed } from './queries.ts'

/** Somebody else was quicker: nothing of his is overwritten, and what was typed stays until one asks for what it is now. */
export function useConflict() {
  const [met, setMet] = useState(false)
  async function watch<Answer>(sent: Promise<Answer>): Promise<Answer> {
    try {
      setMet(false)
      return await sent
    } catch (error) {
      setMet(error instanceof Refused && error.failure.error === 'administration.changed_meanwhile')
      throw error
    }
  }
  return { met, watch }
}

export function ShowPresent() {
  const { words } = useWords()
  return (
    <Button look="quiet" icon="repeat" className="justify-self-start" onClick={() => void changed()}>
      {words('administration.show_present')}
    </Button>
  )
}
