import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { LoadError } from './load-error.tsx'

type Props = {
  /** The query whose data is missing. */
  of: { error: Error | null; refetch: () => unknown }
  title?: string
}

/** Replaces a part that is loading or could not be loaded, so that it does not look empty. */
export const MissingPart = ({ of: { error, refetch }, title }: Props) =>
  error ? (
    <LoadError small {...(title ? { title } : {})} error={error} retry={() => void refetch()} />
  ) : (
    <Loading>
      <Skeleton className="h-16 w-full" />
    </Loading>
  )
