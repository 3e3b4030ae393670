import { useState } from 'react'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { TextField, type TextFieldProps } from '#portal/kit/field/text-field.tsx'
import { useWords } from '#portal/kit/words.tsx'

type Props = Omit<TextFieldProps, 'label' | 'name' | 'type'>

/** The email address with which a user signs in. */
export function EmailField(props: Props) {
  const { words } = useWords()
  return <TextField {...props} label={words('session.sign_in.email')} name="email" type="email" autoComplete="username" />
}

/** The user's current password. */
export function PasswordField(props: Props) {
  const { words } = useWords()
  return (
    <TextField
      {...props}
      data-again
      label={words('session.sign_in.password')}
      name="password"
      type="password"
      autoComplete="current-password"
      required
    />
  )
}

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
