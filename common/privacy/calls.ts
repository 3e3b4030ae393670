import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas.ts'

const calls = callsOf<typeof schemas>()
const administrator = calls('administration')
const anyone = calls('nothing')

export const findPersons = administrator<'findPersons'>('POST', '/api/privacy/find')
export const previewErasure = administrator<'previewErasure'>('POST', '/api/privacy/erase/preview')
export const erasePerson = administrator<'erasePerson'>('POST', '/api/privacy/erase')
export const objectForPerson = administrator<'objectForPerson'>('POST', '/api/privacy/object')
export const restrictPerson = administrator<'restrictPerson'>('POST', '/api/privacy/restrict')
export const rectifyPerson = administrator<'rectifyPerson'>('POST', '/api/privacy/rectify')
export const previewRectification = administrator<'previewRectification'>('POST', '/api/privacy/rectify/preview')
export const exportPerson = administrator<'exportPerson'>('POST', '/api/privacy/export')

/** The person has no session. The token of the link is sent in the body, so that no URL and no log contains it. */
export const openCopy = anyone<'openCopy'>('POST', '/api/privacy/copy')

export const listPersonRequests = administrator<'listPersonRequests'>('POST', '/api/privacy/requests')
export const personLetter = administrator<'personLetter'>('POST', '/api/privacy/requests/letter')
export const extendPersonRequest = administrator<'extendPersonRequest'>('POST', '/api/privacy/requests/extend')
export const closePersonRequest = administrator<'closePersonRequest'>('POST', '/api/privacy/requests/close')
export const holdData = administrator<'holdData'>('POST', '/api/privacy/hold')
export const listHolds = administrator<'listHolds'>('POST', '/api/privacy/holds')
export const liftHold = administrator<'liftHold'>('POST', '/api/privacy/holds/lift')
export const openBlocked = administrator<'openBlocked'>('POST', '/api/privacy/blocked')
export const retentionCertificate = administrator<'retentionCertificate'>('POST', '/api/privacy/certificate')
export const retentionDue = administrator<'retentionDue'>('POST', '/api/privacy/due')
export const processingRecord = administrator<'processingRecord'>('POST', '/api/privacy/record')
