import { dropPolicyFile, uploadPolicyFile } from '#common/policies/calls.ts'
import { upload } from '#portal/documents/upload/upload.ts'
import { openUploads } from '#portal/documents/upload/uploads.ts'
import { ask } from '#portal/kit/ask.ts'

/** The document that the policyholder provides, by the number of the sale. */
export const saleUploads = openUploads({
  put: (file, options) => upload(uploadPolicyFile, file, options),
  drop: fileUuid => ask(dropPolicyFile, { fileUuid }),
  most: 1,
})
