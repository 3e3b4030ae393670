import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas.ts'

const needs = 'administration'

export const findPersons: Call<typeof schemas.findPersons, 'administration'> = { method: 'POST', path: '/api/privacy/find', needs }

export const previewErasure: Call<typeof schemas.previewErasure, 'administration'> = {
  method: 'POST',
  path: '/api/privacy/erase/preview',
  needs,
}

export const erasePerson: Call<typeof schemas.erasePerson, 'administration'> = { method: 'POST', path: '/api/privacy/erase', needs }

export const objectForPerson: Call<typeof schemas.objectForPerson, 'administration'> = {
  method: 'POST',
  path: '/api/privacy/object',
  needs,
}

export const restrictPerson: Call<typeof schemas.restrictPerson, 'administration'> = {
  method: 'POST',
  path: '/api/privacy/restrict',
  needs,
}

export const rectifyPerson: Call<typeof schemas.rectifyPerson, 'administration'> = {
  method: 'POST',
  path: '/api/privacy/rectify',
  needs,
}

export const previewRectification: Call<typeof schemas.previewRectification, 'administration'> = {
  method: 'POST',
  path: '/api/privacy/rectify/preview',
  needs,
}

export const exportPerson: Call<typeof schemas.exportPerson, 'administration'> = { method: 'POST', path: '/api/privacy/export', needs }

/** The person has no session. The token of the link is sent in the body, so no address and no log ever holds it. */
export const openCopy: Call<typeof schemas.openCopy, 'nothing'> = { method: 'POST', path: '/api/privacy/copy', needs: 'nothing' }

export const listPersonRequests: Call<typeof schemas.listPersonRequests, 'administration'> = {
  method: 'POST',
  path: '/api/privacy/requests',
  needs,
}

export const personLetter: Call<typeof schemas.personLetter, 'administration'> = {
  method: 'POST',
  path: '/api/privacy/requests/letter',
  needs,
}

export const extendPersonRequest: Call<typeof schemas.extendPersonRequest, 'administration'> = {
  method: 'POST',
  path: '/api/privacy/requests/extend',
  needs,
}

export const closePersonRequest: Call<typeof schemas.closePersonRequest, 'administration'> = {
  method: 'POST',
  path: '/api/privacy/requests/close',
  needs,
}

export const holdData: Call<typeof schemas.holdData, 'administration'> = { method: 'POST', path: '/api/privacy/hold', needs }

export const listHolds: Call<typeof schemas.listHolds, 'administration'> = { method: 'POST', path: '/api/privacy/holds', needs }

export const liftHold: Call<typeof schemas.liftHold, 'administration'> = { method: 'POST', path: '/api/privacy/holds/lift', needs }

export const openBlocked: Call<typeof schemas.openBlocked, 'administration'> = { method: 'POST', path: '/api/privacy/blocked', needs }

export const retentionCertificate: Call<typeof schemas.retentionCertificate, 'administration'> = {
  method: 'POST',
  path: '/api/privacy/certificate',
  needs,
}

export const retentionDue: Call<typeof schemas.retentionDue, 'administration'> = { method: 'POST', path: '/api/privacy/due', needs }

export const processingRecord: Call<typeof schemas.processingRecord, 'administration'> = {
  method: 'POST',
  path: '/api/privacy/record',
  needs,
}
