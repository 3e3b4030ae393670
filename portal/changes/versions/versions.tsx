import { useQuery } from '@tanstack/react-query'
import { policyVersions } from '#common/changes/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { ask } from '#portal/kit/ask.ts'
import { useWords } from '#portal/kit/words.tsx'

export type PolicyVersion = ResponseOf<typeof policyVersions>[number]

/** The versions of a policy, the sale's first. */
export const useVersions = (policyUuid: string, enabled = true) =>
  useQuery({
    queryKey: ['policies', 'versions', policyUuid],
    queryFn: ({ signal }) => ask(policyVersions, { policyUuid }, { signal }),
    enabled,
  })

/** The documents made by the step to a version. One that is no longer valid is marked, also in the document. */
export function VersionFiles({ files }: Pick<PolicyVersion, 'files'>) {
  const { words } = useWords()
  if (files.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-x-4 text-sm">
      {files.map(({ uuid, file, label, replaced }) => (
        <li key={uuid} className="flex min-h-(--control) items-center gap-1.5">
          <a href={file} target="_blank" rel="noreferrer" className="underline underline-offset-4">
            {label}
          </a>
          {replaced && <span className="text-quiet">({words('changes.document_replaced')})</span>}
        </li>
      ))}
    </ul>
  )
}
