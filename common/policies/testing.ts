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
