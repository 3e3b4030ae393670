import { Button } from '#portal/kit/ui/button.tsx'
import { Callout, EmptyState } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { errorMessage } from './error-message.ts'

type Props = {
  title?: string
  error: unknown
  retry: () => void
  /** True for a small version, for a part of a card or panel. */
  small?: boolean
}

/** Shows why something could not be loaded, with a button to try again. */
export function LoadError({ title, error, retry, small = false }: Props) {
  const { words } = useWords()
  const button = (
    <Button look="quiet" icon="repeat" onClick={retry}>
      {words('shell.try_again')}
    </Button>
  )
  if (small)
    return (
      <div role="alert">
        <Callout tone="danger">
          <div className="grid justify-items-start gap-3">
            <p>{title ?? errorMessage(error, words)}</p>
            {button}
          </div>
        </Callout>
      </div>
    )
  return (
    <div role="alert" className="rounded-lg border border-line bg-sheet">
      <EmptyState icon="alert-circle" title={title ?? words('shell.panel_failed')} action={button}>
        {errorMessage(error, words)}
      </EmptyState>
    </div>
  )
}

type Missing = {
  /** The query whose data is missing. */
  of: { error: Error | null; refetch: () => unknown }
  title?: string
}

/** Replaces a part that is loading or could not be loaded, so that it does not look empty. */
export const MissingPart = ({ of: { error, refetch }, title }: Missing) =>
  error ? (
    <LoadError small {...(title ? { title } : {})} error={error} retry={() => void refetch()} />
  ) : (
    <Loading>
      <Skeleton className="h-16 w-full" />
    </Loading>
  )
