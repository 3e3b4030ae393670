/** The tables of spec 3 and 9 that a policy's people are told by. */

/** Who takes out the policy, and the flag of the form that says so. */
export const policyHolderTypes = [
  { id: 1, name: 'InsuranceTraveler', flag: 'policyholderTravels' },
  { id: 2, name: 'InsuranceTaker', flag: 'policyholderDoesNotTravel' },
  { id: 3, name: 'InsuranceTakerCompany', flag: 'policyholderCompany' },
] as const

export type PolicyHolderTypeId = (typeof policyHolderTypes)[number]['id']

/** spec 3: codes 10, 11 and 12 are mapped to 2, 1 and 3. Any other is none. */
export const customerType = (code: unknown): PolicyHolderTypeId | undefined =>
  typeof code === 'number' ? customerTypes.get(code) : undefined

const customerTypes: ReadonlyMap<number, PolicyHolderTypeId> = new Map([
  [1, 1],
  [2, 2],
  [3, 3],
  [10, 2],
  [11, 1],
  [12, 3],
])

export const identificationTypes = { person: 3, company: 4 } as const

/** api.md, users: who does not travel is counted on top of the travellers. */
/** A count that is no number is expected by nobody: -1 fits no list. */
export const usersExpected = (type: PolicyHolderTypeId, paxNumber: number): number =>
  typeof paxNumber === 'number' ? paxNumber + (type === 1 ? 0 : 1) : -1

/** spec 3, configuration: the value "0" means that the second surname is not used. */
export const usesSecondLastName = (showSecondLastName: string | undefined): boolean => showSecondLastName !== '0'
