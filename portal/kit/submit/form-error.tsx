import { Icon } from '#portal/kit/ui/icon.tsx'

/** Shows why a form could not be sent. */
export const FormError = ({ text }: { text: string | undefined }) => (
  <p role="alert" className="flex gap-1.5 text-sm font-semibold text-danger empty:hidden">
    {text && (
      <>
        <Icon name="alert-circle" className="mt-0.5 size-3.5" />
        {text}
      </>
    )}
  </p>
)
