/** Shows why a form could not be sent. */
export const FormError = ({ text }: { text: string | undefined }) => (
  <p role="alert" className="text-sm text-danger empty:hidden">
    {text}
  </p>
)
