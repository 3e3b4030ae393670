import { getFile } from '#common/documents/calls.ts'
import type { AnyCall, FailureEnvelope } from '#common/kit/call.ts'
import { headersOf, inSession, parseEnvelope, Refused, Unreachable } from '#portal/kit/ask.ts'
import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { saveFile } from '#portal/kit/file/save-file.ts'
import { zipOf } from '#portal/kit/file/zip.ts'
import { showAlert, showToast } from '#portal/kit/overlay/notices.ts'
import { queries } from '#portal/kit/queries.ts'
import type { Words } from '#portal/kit/words.tsx'
import { policyTitle, type Row } from './list-params.ts'
import { policyQuery } from './policy-query.ts'

type Fetched = { name: string; content: Uint8Array<ArrayBuffer> }

/**
 * Saves the documents of these policies as one file: a single document unchanged, several in an archive. A document that cannot be fetched is named,
 * and does not stop the others.
 */
export async function saveDocuments(rows: readonly Row[], words: Words): Promise<void> {
  const fetched: Fetched[] = []
  const failures: string[] = []
  const fail = (name: string, reason: string) => failures.push(`${words('ui.form.field', { label: name })} ${reason}`)
  for (const row of rows) {
    const name = [row.policyNumber, policyTitle(row)].filter(Boolean).join(' · ')
    try {
      const { files } = await queries.fetchQuery(policyQuery(row.policyUuid))
      if (files.length === 0) fail(name, words('policies.no_documents'))
      for (const { name: fileName, label, file } of files) {
        try {
          fetched.push({ name: fileName, content: new Uint8Array(await (await fetchLinked(getFile, file)).arrayBuffer()) })
        } catch (error) {
          fail(`${name}, ${label}`, errorMessage(error, words))
        }
      }
    } catch (error) {
      fail(name, errorMessage(error, words))
    }
  }
  const [only] = fetched
  if (only && fetched.length === 1) saveFile({ name: only.name, content: new Blob([only.content]) })
  else if (only) saveFile({ name: archiveName(rows, words), content: zipOf(fetched) })
  if (failures.length > 0)
    showAlert({ mode: 'error', title: words('policies.not_downloaded', { count: failures.length }), description: failures.join('\n') })
  if (only) showToast({ severity: 'success', summary: words('policies.downloaded', { count: fetched.length }) })
}

function archiveName([row, ...others]: readonly Row[], words: Words): string {
  const of = row && others.length === 0 ? ` ${row.policyNumber || policyTitle(row)}` : ''
  return `${words('policies.documents').toLowerCase()}${of}.zip`
}

/** Fetches a file by its link, which `call` describes. */
const fetchLinked = (call: AnyCall, link: string): Promise<Blob> =>
  inSession(call, async () => {
    const response = await fetch(link, { headers: headersOf(call, '') }).catch(() => undefined)
    if (!response) throw new Unreachable()
    if (response.ok) return response.blob()
    // Safe: every refusal of the service is such an envelope.
    const failure = parseEnvelope(await response.text()) as FailureEnvelope | undefined
    throw failure?.errorMessage ? new Refused(failure) : new Unreachable()
  })
