/** The tables of spec 3 and 9 for a policy's people. */

/** The types of policyholder, with the form's flag for each. */
export const policyHolderTypes = [
  { id: 1, name: 'InsuranceTraveler', flag: 'policyholderTravels' },
  { id: 2, name: 'InsuranceTaker', flag: 'policyholderDoesNotTravel' },
  { id: 3, name: 'InsuranceTakerCompany', flag: 'policyholderCompany' },
] as const

export type PolicyHolderTypeId = (typeof policyHolderTypes)[number]['id']

/** spec 3: codes 10, 11 and 12 are mapped to 2, 1 and 3. Other codes are unknown. */
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

/** Returns the number of users: the travellers, plus a policyholder who does not travel. For an invalid count returns -1, which no list has. */
export const usersExpected = (type: PolicyHolderTypeId, paxNumber: number): number =>
  typeof paxNumber === 'number' ? paxNumber + (type === 1 ? 0 : 1) : -1

/** spec 3, configuration: the value "0" means that the second surname is not used. */
export const usesSecondLastName = (showSecondLastName: string | undefined): boolean => showSecondLastName !== '0'
