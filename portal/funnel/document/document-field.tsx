import { useEffect, useState } from 'react'
import { dropPolicyFile, uploadPolicyFile } from '#common/policies/calls.ts'
import { Attachments } from '#portal/documents/upload/attachments.tsx'
import { openUploads, upload, useUploadsOf } from '#portal/documents/upload/uploads.ts'
import { ask } from '#portal/kit/ask.ts'
import { Bound } from '#portal/kit/form/rules-form.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { PeopleForm } from '../people-form.ts'
import { useFunnel } from '../store.ts'

/** The document that the policyholder provides, by the number of the sale. */
const saleUploads = openUploads({
  put: (file, options) => upload(uploadPolicyFile, file, options),
  drop: fileUuid => ask(dropPolicyFile, { fileUuid }),
  most: 1,
})

const { uploadsOf, restoreFiles, forget } = saleUploads

/** A document that the policyholder provides, uploaded as soon as it is chosen. */
export function DocumentField({ form }: { form: RulesForm<PeopleForm> }) {
  const { words } = useWords()
  const label = words('funnel.uploadFile')
  const [name] = useState(() => begin(form))
  const [file] = useUploadsOf(saleUploads, name)
  useEffect(() => {
    form.setValue('uploadFile', file ? { ...shownOf(file), uuid: file.uuid ?? null } : null, { shouldDirty: true })
    // While it is being uploaded, that it is missing is no problem.
    if (!file || file.uuid) form.clearErrors('uploadFile')
  }, [form, file])
  return (
    <Bound name="uploadFile" label={label}>
      {({ error }) => <Attachments uploads={saleUploads} name={name} label={label} field="uploadFile" error={error} />}
    </Bound>
  )
}

const shownOf = ({ name, size, mediaType }: { name: string; size: number; mediaType: string }) => ({ name, size, mediaType })

/** Shows the document in the form, and none uploaded for another sale. Returns the name of this sale's uploads. */
function begin(form: RulesForm<PeopleForm>): string {
  const name = String(useFunnel.getState().sale)
  const kept = form.getValues('uploadFile')
  const isShown = kept !== null && uploadsOf(name).some(({ uuid = null }) => uuid === kept.uuid)
  if (!isShown) forget(name)
  if (kept?.uuid) restoreFiles(name, [{ ...shownOf(kept), uuid: kept.uuid }])
  return name
}
