/** A complete business unit in Spain. */
export const brisa = {
  brandName: 'Brisa',
  legalName: 'Brisa Viajes, S.L.',
  taxId: 'B12345674',
  managementGroup: 'Meridia Iberia',
  locale: 'es-ES',
  timeZone: 'Atlantic/Canary',
  currency: 'EUR',
  accent: '#0a6b5c',
  supportEmail: 'ayuda@brisa.example',
  address: { street: 'Calle Mayor 1', zipCode: '35001', city: 'Las Palmas', state: 'Las Palmas', country: 724 },
  contactInfo: { email: 'hola@brisa.example', phone: '+34 928 000 000' },
  billingInfo: { iban: 'ES9121000418450200051332', email: 'facturas@brisa.example' },
  sessionIdleHours: null,
  sessionDays: 7,
} as const
