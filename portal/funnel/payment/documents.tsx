import { useQuery } from '@tanstack/react-query'
import { policyDetail } from '#common/policies/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import type { Sold } from '../store.ts'

const lookAgainMs = 1500

/** The papers of what was just sold: those that are not made yet say so, and become links when they are. */
export function Papers({ done: { policyData, files } }: { done: Sold }) {
  const { words } = useWords()
  const mayLook = useMay('b2b-policies-sold-view')
  const { policyUuid } = policyData
  const { data, isError } = useQuery({
    // Of its own: the policy's page is to ask anew.
    queryKey: ['policies', 'papers', policyUuid],
    queryFn: ({ signal }) => ask(policyDetail, { policyUuid }, { signal }),
    enabled: mayLook,
    refetchInterval: ({ state }) => (state.data?.files.some(file => file.state === 'pending') ? lookAgainMs : false),
  })
  // Who may not look follows the link all the same: it leads to a paper that is made by then, if it was not before.
  const stateOf = (uuid: string) => (mayLook && !isError ? (data?.files.find(file => file.uuid === uuid)?.state ?? 'pending') : 'ready')
  return (
    <ul
      aria-busy={files.some(({ uuid }) => stateOf(uuid) === 'pending')}
      className="grid gap-1 border-t border-line pt-(--gap) empty:hidden"
    >
      {files.map(({ uuid, file, name, label }) => (
        <li key={uuid} className="flex min-h-(--control) items-center gap-2">
          {stateOf(uuid) === 'pending' ? (
            <span className="inline-flex items-center gap-2 text-quiet">
              <Icon name="file" /> {words('funnel.done.pending', { name: label })}
            </span>
          ) : (
            <a
              href={file}
              download={name}
              className="inline-flex min-h-(--control) items-center gap-2 text-accent-ink underline underline-offset-4"
            >
              <Icon name="download" /> {label}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
