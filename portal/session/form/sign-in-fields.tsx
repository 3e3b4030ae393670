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
