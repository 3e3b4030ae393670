import { useState } from 'react'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'

/** Signing in with a second factor: the code is asked for once the password was right, and not before. */
export function useCode() {
  const [wanted, setWanted] = useState(false)
  return {
    wanted,
    again: () => setWanted(false),
    /** Gives nothing where a code is wanted now. */
    async unlessWanted<T>(signingIn: Promise<T>): Promise<T | undefined> {
      try {
        return await signingIn
      } catch (error) {
        if (!isRefusedAs(error, 'session.code_needed')) throw error
        setWanted(true)
        return undefined
      }
    },
  }
}
