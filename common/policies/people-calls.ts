import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas/people.ts'

const call = callsOf<typeof schemas>()('b2b-products-sell')

// Also needs a permission to see sold policies or saved quotes.
export const knownPeople = call<'knownPeople'>('POST', '/api/people')

// Also needs the permission to see sold policies. Without it the response is empty.
export const alreadyInsured = call<'alreadyInsured'>('POST', '/api/policy/insured')

// Also needs the permission to see sold policies. Without it the response is empty.
export const knownCompanions = call<'knownCompanions'>('POST', '/api/people/companions')
