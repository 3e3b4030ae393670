/** Valid contact fields of a person, for tests. */
export const reach = {
  email: 'ana@example.es',
  phonePrefix: '+34',
  phoneNumber: '612345678',
  address: 'Calle Mayor 1',
  city: 'Madrid',
  state: 'Madrid',
  zipCode: '28001',
}

/** Writes 21 as CB, because names have no digits. */
export const inLetters = (index: number): string => String(index).replaceAll(/\d/g, digit => String.fromCodePoint(65 + Number(digit)))

/** The same person as typed into the second step of the funnel. */
export const typedPerson = {
  name: 'Ana',
  middleName: 'García',
  lastName: 'López',
  birthDate: '05/05/1990',
  documentNumber: '12345678z',
  email: reach.email,
  phonePrefix: reach.phonePrefix,
  phoneNumber: reach.phoneNumber,
  province: reach.state,
  city: reach.city,
  address: reach.address,
  zipCode: reach.zipCode,
}
