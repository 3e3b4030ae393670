import type { ErrorComponentProps } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Refused, Unreachable } from '#portal/kit/ask.ts'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import { ErrorScreen } from './status-screen.tsx'

/** The signed-in user lacks the permission for this page (spec 6). */
export class Forbidden extends Error {}

const LostPage = lazy(async () => {
  const [{ LostPage }] = await Promise.all([import('./lost-page.tsx'), loadMessages('lost')])
  return { default: LostPage }
})

export const NotFound = () => (
  <Suspense>
    <LostPage />
  </Suspense>
)

/** True if a chunk of the portal could not be loaded. Each browser has its own message for that. */
const isMissingChunk = (error: unknown): boolean => error instanceof TypeError && /imported module|module script/.test(error.message)

export function Failed({ error }: ErrorComponentProps) {
  const { words } = useWords()
  if (error instanceof Forbidden) return <ErrorScreen status={403} message={words('shell.forbidden')} />
  if (error instanceof Refused) return <ErrorScreen status={error.failure.code} message={error.message} />
  if (error instanceof Unreachable || isMissingChunk(error)) return <ErrorScreen status={503} message={words('shell.offline')} />
  return <ErrorScreen status={500} message={error instanceof Error ? error.message : undefined} />
}
