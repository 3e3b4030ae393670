import { useState } from 'react'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'

/** Handles the second factor of a sign-in: the code field appears only after the password was correct. */
export function useCode() {
  const [isNeeded, setIsNeeded] = useState(false)
  return {
    isNeeded,
    reset: () => setIsNeeded(false),
    /** Returns undefined if the user must enter a code now. */
    async unlessNeeded<T>(signingIn: Promise<T>): Promise<T | undefined> {
      try {
        return await signingIn
      } catch (error) {
        if (!isRefusedAs(error, 'session.code_needed')) throw error
        setIsNeeded(true)
        return undefined
      }
    },
  }
}
