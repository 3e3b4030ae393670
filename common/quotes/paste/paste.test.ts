import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { countriesIn } from '#common/geography/countries.ts'
import { addYears, isDate } from '#common/kit/dates.ts'
import { type Locale, locales } from '#common/kit/locales.ts'
import { earliestBirthDate } from '#common/kit/validators/periods.ts'
import { samplesDay as today, samplesIn } from '#tools/paste/samples.ts'
import { type PersonFound, personParts } from '../paste-people/person.ts'
import { type PastedField, recognise } from './paste.ts'
import { mostRead } from './text.ts'

const countries = countriesIn('es-ES')
const letters = new Map(countries.map(({ id, alpha2 }) => [id, alpha2]))
const context = { today, countries, currency: 'EUR', earliestBirthDate }
const read = (text: string, locale: Locale = 'es-ES') => recognise(text, { ...context, locale })

const doubt = ({ isSure }: { isSure: boolean }): string => (isSure ? '' : ' (doubtful)')
const written = (pasted: PastedField): string => {
  const { field, value } = pasted
  return `${field} ${field === 'coverageScope' || field === 'mainDestination' ? letters.get(value) : value}${doubt(pasted)}`
}
const writtenPerson = (person: PersonFound): string =>
  `person ${personParts.flatMap(part => (person.value[part] === undefined ? [] : `${part} ${person.value[part]}`)).join(', ')}${doubt(person)}`
const fieldsOf = (text: string, locale?: Locale) => {
  const { found, people } = read(text, locale)
  return [...found.map(written), ...people.map(writtenPerson)]
}

const names = ['notes.txt', 'unseen.txt', 'seen.txt', 'fresh.txt', 'twelve.txt', 'dozen.txt', 'accents.txt']
const files = names.map(name => samplesIn(join(import.meta.dirname, '../paste-samples', name)))
const samples = files.flat()

describe('a pasted text', () => {
  test('the pasted texts have samples in each language', () => {
    expect(files.map(({ length }) => length)).toEqual([63, 30, 30, 56, 12, 12, 10])
    expect(new Set(samples.map(({ locale }) => locale))).toEqual(new Set(locales))
  })

  test.each(samples)('$locale $name', ({ text, locale, expected }) => {
    expect(fieldsOf(text, locale)).toEqual(expected)
  })
})

test('the table of figures has the totals of the samples', () => {
  // Each fact of a person counts as one field.
  const fields = samples.flatMap(({ expected }) => expected).flatMap(line => (line.startsWith('person ') ? line.split(', ') : [line]))
  const missed = samples.flatMap(each => each.missed)
  const figures = readFileSync(join(import.meta.dirname, '../../../docs/figures/README.md'), 'utf8')
  expect(figures).toContain(`${samples.length} samples: ${fields.length} fields read, ${missed.length} missed, 0 wrong`)
})

describe('an ambiguous line', () => {
  test.each<[Locale, string, string[]]>([
    ['es-ES', 'Salida: 08/25/2027. Regreso: 09/05/2027', []],
    ['es-ES', 'Ida: 03/11/2026, vuelta: 30/11/2026', []],
    ['es-ES', 'Ida: 03/08/2032, vuelta: 10/08/2032', []],
    ['es-ES', 'Salida: 03/08/2027, regreso: 03/08/2028', ['startDate 2027-08-03', 'endDate 2028-08-03']],
    ['es-ES', 'Salida: 03/08/2027, regreso: 05/08/2028', []],
    ['es-ES', 'Salidas: 3 ago 2027, 10 ago 2027, 17 ago 2027', []],
    ['es-ES', 'Reservado el 3 de diciembre', ['reservationDate 2025-12-03']],
    ['es-ES', 'Fecha de reserva: 03/12/2026', []],
    ['es-ES', 'Fecha de nacimiento: 04/05/90', ['person birthDate 1990-05-04']],
    ['es-ES', 'Fecha de nacimiento: 04/05/2090', ['person birthDate 1990-05-04']],
    ['es-ES', 'Ejemplo, S.L., CIF B1234567, viajes a Cuba desde Madrid', []],
    ['fr-FR', 'Voyage à la réunion annuelle du 3 au 5 mars 2027', ['startDate 2027-03-03', 'endDate 2027-03-05']],
    ['fr-FR', 'Voyage à la Réunion du 3 au 5 mars 2027', ['startDate 2027-03-03', 'endDate 2027-03-05', 'mainDestination RE']],
    ['es-ES', 'Habitación 1: 2 adultos\nHabitación 2: 2 adultos', []],
    ['es-ES', 'Pasajeros: 2\nViajeros: 3', []],
    ['es-ES', 'Precio total por persona: 640,00 €', []],
    ['es-ES', 'Total tasas: 120,00 €', []],
    ['es-ES', 'Total: 600,00 €\nTotal: 400,00 €', []],
    ['es-ES', 'Total: 600,00 €\nTotal: 400,00 €\nTotal: 1.000,00 €', ['priceTravel 1000']],
    ['es-ES', 'Total del viaje: 1,234 €', []],
    ['en-EN', 'Total of the trip: 1,234 €', ['priceTravel 1234']],
    ['es-ES', 'Total del viaje: 1.234 €', ['priceTravel 1234']],
    ['fr-FR', 'Montant total : 1 234,56 €', ['priceTravel 1234.56']],
    ['en-EN', 'Grand total €1,234.56', ['priceTravel 1234.56']],
    ['en-EN', 'Grand total £1,234.56', []],
    ['es-ES', 'Escríbanos a reservas@aerolinea.example', []],
    ['es-ES', 'De: Ana Vega <ana.vega@correo.example>', []],
    ['es-ES', 'Lucía Ferrer\nViajes Azahar\nlucia@azahar.example', []],
    ['es-ES', 'Mi correo: ana.vega@correo.example', ['person email ana.vega@correo.example']],
    ['es-ES', 'Titular: Ana Vega, DNI 12345678A', ['person name Ana, middleName Vega']],
    ['es-ES', 'Reserva del 3 al 10 de agosto de 2027', ['startDate 2027-08-03', 'endDate 2027-08-10']],
    ['it-IT', 'Acquisto del viaggio a Roma il 16/11/2026', ['mainDestination IT']],
    ['es-ES', 'Compra del lunes 16/11/2026', ['reservationDate 2026-11-16']],
    [
      'es-ES',
      'Pasajeros\n1. Ana Vega\n   Flying Blue 2034567890\n2. Luis Vega\n   Executive Club 12345678',
      ['travelers 2', 'person name Ana, middleName Vega', 'person name Luis, middleName Vega'],
    ],
    ['es-ES', 'MADRID-BERLIN', ['coverageScope ES', 'mainDestination DE']],
  ])('%s %s', (locale, text, expected) => {
    expect(fieldsOf(text, locale)).toEqual(expected)
  })
})

describe('the number of travellers', () => {
  test.each<[Locale, string, string | undefined]>([
    ['es-ES', 'Somos 2 adultos y los niños (12 y 9)', undefined],
    ['en-EN', 'My wife and I plus our 3 kids (4, 6, 9)', undefined],
    ['fr-FR', 'Mon mari, moi et nos deux enfants', undefined],
    ['it-IT', 'Io e mia moglie con 2 bambini', undefined],
    ['pt-PT', '2 adultos e a minha sogra', undefined],
    ['es-ES', 'Sr. Pérez y Sra. García + 2 niños', undefined],
    ['es-ES', '2 personas y 1 bebé', undefined],
    ['es-ES', 'Somos 2 más los niños', undefined],
    ['pt-PT', 'Somos 2 e os miúdos', undefined],
    ['es-ES', 'Viajeros: 2 + 1', undefined],
    ['es-ES', 'Familia de 4 con 2 niños', 'travelers 4'],
    ['en-EN', 'Adults: 2 - Children: 2', undefined],
    ['es-ES', 'Niños: 4 y 7 años', undefined],
    ['es-ES', '2 adultos. Niños: a consultar', 'travelers 2 (doubtful)'],
    ['es-ES', 'Pasajeros: Ana Vega Gil y un bebé', 'travelers 1 (doubtful)'],
    ['es-ES', 'Pasajeros: Ana Vega Gil, Luis Pons Rey + 2 niños', 'travelers 2 (doubtful)'],
    ['fr-FR', 'Passagers : M. Paul Petit et Mme Anne Petit, 2 enfants', 'travelers 2 (doubtful)'],
    ['en-EN', 'Other passengers: Ms Amy Hughes', 'travelers 1 (doubtful)'],
    ['en-EN', 'Lead passenger: Mr Ed Hughes\nOther passengers: Ms Amy Hughes\n7 nights', 'travelers 2'],
    ['en-EN', 'Two adults and a baby', 'travelers 3'],
    ['es-ES', 'Adultos: 2  Niños: 1', 'travelers 3'],
    ['pt-PT', 'Adultos: 2 Crianças: 2', 'travelers 4'],
    ['it-IT', 'Adulti: 2  Bambini: 2', 'travelers 4'],
    ['fr-FR', 'Adultes : 2 Enfants : 1 Bébés : 1', 'travelers 4'],
    ['en-EN', 'Adults: 2  Children: 1  Infants: 1', 'travelers 4'],
    ['es-ES', '2 adultos, 1 adolescente de 15 años', 'travelers 3'],
    ['fr-FR', '2 adultes, 1 adolescent (15 ans)', 'travelers 3'],
    ['fr-FR', '2 adultes, 1 ado de 15 ans', 'travelers 3'],
    ['it-IT', '2 adulti e 1 adolescente', 'travelers 3'],
    ['pt-PT', '2 adultos e 2 jovens', 'travelers 4'],
    ['en-EN', '2 adults and 2 teenagers', 'travelers 4'],
    ['es-ES', '4 personas (2 adultos y 2 niños)', 'travelers 4'],
    ['es-ES', 'Pasajeros: José María Aznar López y Ana Botella Serrano. Vuelo Madrid-París', 'travelers 2'],
    ['pt-PT', 'Passageiros: Maria José Pereira da Costa e António Costa. Voo Lisboa-Paris', 'travelers 2'],
    ['es-ES', 'Datos de los pasajeros\nAdulto 1: Ana Gil\nAdulto 2: Luis Rey\nNiño 1: Leo Rey', 'travelers 3'],
  ])('%s %j: %s', (locale, text, expected) => {
    expect(fieldsOf(text, locale).find(field => field.startsWith('travelers'))).toBe(expected)
  })
})

describe('the destinations', () => {
  test.each<[Locale, string, string[]]>([
    ['it-IT', 'Andiamo in Giappone. Partiamo da Roma con scalo a Doha', ['IT', 'JP']],
    ['en-EN', 'Trip to Japan 4 to 18 April 2027 with a stopover in Doha, leaving from London', ['GB', 'JP']],
    ['fr-FR', 'Voyage au Japon avec correspondance à Doha', ['JP']],
    ['pt-PT', 'Viagem ao Japão com escala no Dubai', ['JP']],
    ['es-ES', 'Viaje a Japón con conexión en Doha', ['JP']],
    ['es-ES', 'Circuito "Perú mágico". Salida 03/05/2027 regreso 14/05/2027 (llegada a Madrid el 15/05/2027)', ['PE']],
    ['es-ES', 'Circuito Perú y Bolivia del 04/04/2027 al 20/04/2027, llegada a Madrid el 21/04/2027', ['PE', 'BO']],
    ['fr-FR', 'Circuit Pérou du 04/04/2027 au 20/04/2027, arrivée à Paris le 21/04/2027', ['PE']],
    ['it-IT', 'Viaggio in Grecia dal 04/04/2027 al 20/04/2027, arrivo a Roma', ['GR']],
    ['pt-PT', 'Viagem ao Japão de 4 a 20 de abril de 2027, chegada a Lisboa a 21/04/2027', ['JP']],
    ['en-EN', 'Trip to Japan 4 to 20 April 2027, arriving in London on 21 April 2027', ['JP']],
    ['es-ES', 'Salida de Madrid el 03/05/2027, llegada a Lima el 04/05/2027', ['ES', 'PE']],
    [
      'fr-FR',
      'Séjour : Club Framissima Djerba (Tunisie) - 8 jours\nDépart : Lyon le 10/04/2027\nRetour : Lyon le 17/04/2027',
      ['FR', 'TN'],
    ],
    ['fr-FR', 'Nous partons au Japon du 28 mars au 11 avril 2027. Départ de Lyon. Merci, Hélène Dupuis helene@poste.example', ['FR', 'JP']],
    ['fr-FR', 'Comme convenu au téléphone, nous partons en Grèce', ['GR']],
    [
      'en-EN',
      'Manchester to Dubai 2 Feb 2027, Dubai to Bangkok 2 Feb 2027, Bangkok to Dubai 16 Feb 2027, Dubai to Manchester 17 Feb 2027',
      ['GB', 'TH'],
    ],
    ['es-ES', 'Circuito Vietnam. Vuelos Madrid - Doha - Hanoi / Ho Chi Minh - Doha - Madrid', ['VN']],
    ['fr-FR', 'Vols Paris - Casablanca - Dakar le 5 mars 2027 et Dakar - Casablanca - Paris le 19 mars 2027', ['FR']],
  ])('%s %j: %j', (locale, text, expected) => {
    const places = fieldsOf(text, locale).filter(field => /^(?:coverageScope|mainDestination)/.test(field))
    expect(places.map(field => field.slice(-2))).toEqual(expected)
  })
})

describe('a name', () => {
  test.each<[Locale, string, string]>([
    [
      'es-ES',
      'Titular: Mª Carmen de la Torre Gil DNI 12345678Z, viaje a Portugal',
      'name Mª Carmen, middleName De la Torre, lastName Gil, documentKind national, docNumber 12345678Z',
    ],
    ['es-ES', 'Titular: Mª José Pérez de la Fuente', 'name Mª José, middleName Pérez, lastName de la Fuente'],
    ['it-IT', 'Passeggeri:\nSig. ROSSI MARCO  - Posto 1A', 'name Marco, middleName Rossi (doubtful)'],
    ['it-IT', 'Passeggero: Sig. Rossi Marco', 'name Rossi, middleName Marco (doubtful)'],
    ['it-IT', "Passeggero: Sig.ra Maria Antonietta D'Angelo", "name Maria Antonietta, middleName D'Angelo"],
    ['es-ES', 'Pasajeros\nLorena      Cano Vidal', 'name Lorena, middleName Cano, lastName Vidal'],
    ['es-ES', 'Pasajeros\nCano Vidal      Lorena', 'name Lorena, middleName Cano, lastName Vidal'],
    ['es-ES', 'Pasajero: MARTINEZ CALVO / JOSE ANTONIO', 'name Jose Antonio, middleName Martinez, lastName Calvo'],
    ['es-ES', 'Pasajero: Martínez Calvo, José Antonio', 'name José Antonio, middleName Martínez, lastName Calvo'],
    ['es-ES', 'Pasajera: SEOANE, UXÍA', 'name Uxía, middleName Seoane (doubtful)'],
    ['es-ES', 'Pasajera: DE LA FUENTE RIVAS / M. CARMEN', 'name M. Carmen, middleName De la Fuente, lastName Rivas'],
    ['en-EN', 'Surname;First name;Born\nÓ Súilleabháin;Cormac;1966-12-05', 'name Cormac, middleName Ó Súilleabháin, birthDate 1966-12-05'],
    ['es-ES', 'Pasajero: Marcos Vidal Soto', 'name Marcos, middleName Vidal, lastName Soto (doubtful)'],
    ['es-ES', 'Pasajero: Sr. Marcos Villalba Soto', 'name Marcos, middleName Villalba, lastName Soto'],
    [
      'es-ES',
      'Apellidos\tNombre\tDNI\nGil Vega\tRosa\t12345678Z',
      'name Rosa, middleName Gil, lastName Vega, documentKind national, docNumber 12345678Z',
    ],
    [
      'fr-FR',
      'NOM       PRÉNOM    N° PASSEPORT\nROUX      Léo       19FV20385',
      'name Léo, middleName Roux, documentKind passport, docNumber 19FV20385',
    ],
    [
      'pt-PT',
      'Nome completo;NIF;Telemóvel\nRita Gil Melo;214873560;962 114 550',
      'name Rita, middleName Gil, lastName Melo, documentKind national, docNumber 214873560, phone 962114550',
    ],
    [
      'es-ES',
      'Viajero 1\nNombre: Amparo\nApellidos: Bonet Llorca\nFecha de nacimiento: 19/02/1971',
      'name Amparo, middleName Bonet, lastName Llorca, birthDate 1971-02-19',
    ],
  ])('%s %j: %s', (locale, text, expected) => {
    expect(fieldsOf(text, locale).filter(field => field.startsWith('person'))).toEqual([`person ${expected}`])
  })
})

describe('a name between slashes', () => {
  test.each<[Locale, string, string[]]>([
    ['es-ES', 'Estimado/a Sr', []],
    ['es-ES', 'Querido/querida sr García:', []],
    ['es-ES', 'Adulto/niño inf', []],
    ['es-ES', 'PEREZ/JUAN MR 12NOV26', ['name Juan, middleName Perez']],
    ['es-ES', 'PEREZ/LEO INF 12NOV26', ['name Leo, middleName Perez, birthDate 2026-11-12']],
    ['es-ES', '1.2PÉREZ/ÁNGEL MR/INÉS MRS', ['name Ángel, middleName Pérez', 'name Inés, middleName Pérez']],
  ])('%s %j: %j', (locale, text, expected) => {
    expect(fieldsOf(text, locale).filter(field => field.startsWith('person'))).toEqual(expected.map(each => `person ${each}`))
  })
})

describe('the facts of another person or trip', () => {
  test.each<[string, Locale, string, string[]]>([
    [
      'an Italian code belongs to the person whose birth it repeats',
      'it-IT',
      'Viaggiatori:\n- Moretti Elena, nata il 23/07/1991\n- Greco Salvatore, nato il 02/11/1979\nCodici: GRCSVT79S02G273W e MRTLNE91L63H501N',
      ['MRTLNE91L63H501N', 'GRCSVT79S02G273W'],
    ],
    [
      'the sender’s own document is not that of the person above',
      'es-ES',
      '[18/11/26, 19:46:58] Rocío Cabello: él es Óscar Fuentes Mora, 12/09/1983\n[18/11/26, 19:48:01] Rocío Cabello: y el mío 52013478J, 30/01/1985',
      ['undefined', '52013478J'],
    ],
  ])('%s', (_, locale, text, expected) => {
    expect(read(text, locale).people.map(({ value }) => String(value.docNumber))).toEqual(expected)
  })

  it('a document in running words below a name is doubtful', () => {
    const [person] = read('Pasajera: Sra. Ana Vega Gil\nel carné de la otra señora es 12345678Z, creo').people
    expect([person?.value.docNumber, person?.doubts]).toEqual(['12345678Z', ['docNumber', 'documentKind']])
  })

  it('a mail that another one answers is left out if the answer has the trip’s day', () => {
    const quoted = '> Viaje a Egipto del 20 al 27 de febrero de 2027\n> para Manuel Sanz Pardo, DNI 12345678Z.'
    const answer = 'Otro viaje a Croacia del 5 al 12 de junio de 2027'
    const days = ['startDate 2027-06-05', 'endDate 2027-06-12', 'mainDestination HR']
    expect(fieldsOf(`${answer}\n\nEl 3 de noviembre de 2026, Lola <lola@azahar.example> escribió:\n${quoted}`)).toEqual(days)
    expect(fieldsOf(`Gracias.\n\n${quoted}`)).toContain('startDate 2027-02-20')
  })

  it('two names in capitals beside a comma are two people', () => {
    const people = read('Passeggeri: ROSSI MARIO, ROSSI CARLA', 'it-IT').people.map(writtenPerson)
    expect(people).toEqual(['person name Mario, middleName Rossi', 'person name Carla, middleName Rossi'])
  })

  it('a line of a list without a name leaves the number of travellers doubtful', () => {
    expect(fieldsOf('Pasajeros:\n1. Sra. Ana Vega Gil\n2. Sr. Luis Pons Rey\n3. Bebé')).toContain('travelers 2 (doubtful)')
    expect(fieldsOf('Apellidos    Nombre    DNI\nGil          Rosa      1\n             Pendiente')).toContain('travelers 1 (doubtful)')
  })

  it('an unread row of a table leaves the number of travellers doubtful', () => {
    expect(fieldsOf('Apellidos;Nombre;DNI\nGil;Rosa;1\n77;?;2')).toContain('travelers 1 (doubtful)')
  })

  it('the only other country of a text is a doubtful destination', () => {
    expect(fieldsOf('Confirmo Grecia, del 12 al 26 de junio de 2027')).toContain('mainDestination GR (doubtful)')
    expect(fieldsOf('Del 12 al 26 de junio de 2027: a Lanzarote no, viajamos a Marruecos')).toContain('mainDestination MA')
  })

  it('surnames in capitals are no airports', () => {
    expect(fieldsOf('GOMEZ DE LA FUENTE / ALVARO').filter(field => !field.startsWith('person'))).toEqual([])
  })
})

describe('the days', () => {
  const out = 'mardi 22 décembre 2026\n10h35 Paris, Charles de Gaulle (CDG) - 2E\n13h10 New York, John F Kennedy (JFK) - 1\nAF006'
  const home = 'mercredi 30 décembre 2026\n19h25 New York, John F Kennedy (JFK)\n08h55 +1 Paris, Charles de Gaulle (CDG)\nAF007'
  const legs = [
    'Fri, Jan 8  Madrid (MAD) 12:00pm - Paris (CDG) 2:10pm  Air France 1001',
    'Fri, Jan 8  Paris (CDG) 6:30pm - Tokyo (HND) 2:25pm +1 day  Air France 274',
    'Wed, Jan 20 Osaka (KIX) 10:35am - Amsterdam (AMS) 4:05pm KLM 868',
    'Wed, Jan 20 Amsterdam (AMS) 5:40pm - Madrid (MAD) 8:15pm KLM 1705',
  ]
  test.each<[Locale, string, string[]]>([
    ['fr-FR', `Bébé : Zoé Marchand (née le 12/02/2026)\n\n${out}\n\n${home}`, ['2026-12-22', '2026-12-31']],
    ['fr-FR', `Bébé : Zoé Marchand (née le 12/02/2026)\n${out}\n\n${home}`, ['2026-12-22', '2026-12-31']],
    ['en-EN', legs.join('\n'), ['2027-01-08', '2027-01-20']],
    ['es-ES', 'Titular: Ana Gil DNI 12345678Z, viaje a Portugal del 04/04/2027 al 08/04/2027', ['2027-04-04', '2027-04-08']],
    ['es-ES', 'Pasaporte AB123456 válido del 04/04/2027 al 08/04/2027', []],
    ['en-EN', 'Adults: 2  Destination: Morocco  Dates: 04/04/2027 - 11/04/2027', ['2027-04-04', '2027-04-11']],
    ['es-ES', 'PEREZ SANZ/JUAN MR 12MAR85\nSalida 10DEC Madrid - Bangkok\nVuelta 24DEC', ['2026-12-10', '2026-12-24']],
    ['es-ES', 'PEREZ SANZ/JUAN MR 10DEC26 MADBKK\nPEREZ SANZ/JUAN MR 24DEC26 BKKMAD', ['2026-12-10', '2026-12-24']],
    ['es-ES', 'IDA/VUELTA 10DEC26 - 24DEC26', ['2026-12-10', '2026-12-24']],
    ['en-EN', 'Dates: 03/04/2027 - 03/12/2027', []],
    ['en-EN', 'Dates: 04/04/2027 - 06/04/2027', []],
  ])('%s %j: %j', (locale, text, expected) => {
    expect(fieldsOf(text, locale).flatMap(field => /^(?:start|end)Date (.+)$/.exec(field)?.[1] ?? [])).toEqual(expected)
  })
})

test('the unit’s own limit decides which birth dates are read', () => {
  const births = (earliest: string) =>
    recognise('Fecha de nacimiento: 04/05/1938', { ...context, locale: 'es-ES', earliestBirthDate: earliest }).people.map(
      ({ value }) => value.birthDate,
    )
  expect(births('1938-05-05')).toEqual([])
  expect(births('1938-05-04')).toEqual(['1938-05-04'])
})

describe('any text', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({ maxLength: 400 }),
    fc.array(fc.constantFrom(...samples.flatMap(({ text }) => text.split('\n'))), { maxLength: 30 }).map(lines => lines.join('\n')),
    fc
      .array(
        fc.constantFrom(
          '3',
          '17',
          '31',
          '29',
          '2',
          '/',
          '-',
          ' ',
          '.',
          'agosto',
          'feb',
          '2027',
          '2020',
          'al',
          'del',
          'salida',
          'nacido',
          '\n',
        ),
        {
          maxLength: 30,
        },
      )
      .map(parts => parts.join(' ')),
  )
  const anyLocale = fc.constantFrom(...locales)
  const inField = (found: readonly PastedField[], field: PastedField['field']) =>
    found.filter(each => each.field === field).map(({ value }) => String(value))

  it('a found field names the part of the text it comes from', () => {
    fc.assert(
      fc.property(anyText, anyLocale, (given, locale) => {
        const { text, found, people } = read(given, locale)
        return [...found, ...people].every(({ at: [from, to] }) => 0 <= from && from < to && to <= text.length)
      }),
    )
    // The first line’s passenger is read last.
    const outOfOrder =
      ' 1. SSRDOCSLHHK1/P/PRT/CA123456/PRT/08MAR75/M/12DEC30/SILVA/JOAO-1SILVA/JOAO MR\n 1.1OBRIEN/SEAN MR  2.1OBRIEN/NIAMH MRS\n 3. SQ 232  M  29APR SYDSIN HS2  1600   2220'
    expect(read(outOfOrder, 'en-EN').found.find(({ field }) => field === 'travelers')?.at).toEqual([4, 119])
    // Safe: wrong types are what the test passes.
    for (const given of [undefined, null, 7, {}] as unknown[] as string[]) expect(read(given).found).toEqual([])
  })

  it('found days are real: start and end not before today, others not after', () => {
    fc.assert(
      fc.property(anyText, anyLocale, (text, locale) => {
        const { found, people } = read(text, locale)
        const [start] = inField(found, 'startDate')
        const [end] = inField(found, 'endDate')
        for (const day of [start, end]) if (day) expect(isDate(day) && day >= today && day <= addYears(today, 2)).toBe(true)
        if (start && end) expect(start <= end).toBe(true)
        for (const day of inField(found, 'reservationDate')) expect(isDate(day) && day <= today).toBe(true)
        for (const { value } of people) if (value.birthDate) expect(isDate(value.birthDate) && value.birthDate <= today).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('each single field is found once, within the limits of the form', () => {
    fc.assert(
      fc.property(anyText, text => {
        const { found } = read(text)
        for (const field of ['startDate', 'endDate', 'coverageScope', 'travelers', 'priceTravel', 'reservationDate'] as const)
          expect(inField(found, field).length).toBeLessThanOrEqual(1)
        const places = inField(found, 'mainDestination')
        expect(new Set(places).size).toBe(places.length)
        expect([...places, ...inField(found, 'coverageScope')].every(id => letters.has(Number(id)))).toBe(true)
        for (const count of inField(found, 'travelers').map(Number)) expect(count >= 1 && count <= 99).toBe(true)
        for (const amount of inField(found, 'priceTravel').map(Number)) expect(Math.round(amount * 100) / 100).toBe(amount)
      }),
      { numRuns: 300 },
    )
  })

  it('people are found with real values only', () => {
    fc.assert(
      fc.property(anyText, anyLocale, (text, locale) => {
        for (const { value } of read(text, locale).people) {
          expect(Object.values(value).every(part => typeof part === 'string' && part.trim() === part && part !== '')).toBe(true)
          expect((value.docNumber === undefined) === (value.documentKind === undefined)).toBe(true)
          if (value.docNumber) expect(value.docNumber).toMatch(/^[A-Z0-9<]{5,20}$/)
          if (value.email) expect(value.email).toMatch(/^[^@\s]+@[^@\s]+\.[a-z]+$/)
          if (value.phone) expect(value.phone).toMatch(/^\+?\d{8,16}$/)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('the same fields are found with unrelated lines around them', () => {
    const noise = fc.constantFrom(
      'Tel. +34 912 345 678',
      'https://example.test/a?b=20270803',
      'IBAN ES91 2100 0418 4502 0005 1332',
      '4548 12** **** 9010',
      'Ref. 118834/2026-B',
      '* * *',
      '',
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.array(noise, { maxLength: 4 }),
        fc.array(noise, { maxLength: 4 }),
        ({ text, locale, expected }, above, below) => {
          const around = [...above, '', text, '', ...below].join('\n')
          expect(fieldsOf(around, locale)).toEqual(expected)
        },
      ),
    )
  })

  it('the same fields are found with any line ends and blanks', () => {
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.constantFrom('\u00a0', '\u202f', ' '), ({ text, locale, expected }, blank) => {
        expect(fieldsOf(text.normalize('NFD').replaceAll('\n', '\r\n').replaceAll(' ', blank), locale)).toEqual(expected)
      }),
    )
  })

  it('a text is read up to a limit', () => {
    const first = samples[0]?.text ?? ''
    expect(fieldsOf(`${first}\n${'x'.repeat(mostRead * 3)}`)).toEqual(samples[0]?.expected)
    expect(fieldsOf(`${'x\n'.repeat(mostRead)}${first}`)).toEqual([])
    expect(read('x'.repeat(mostRead * 3)).text.length).toBe(mostRead)
  })
})

describe('a machine-readable zone', () => {
  // The example in ICAO 9303, part 4.
  const zone = 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10'

  it('a machine-readable zone gives name, birth date and number', () => {
    expect(read(zone).people.map(writtenPerson)).toEqual([
      'person name Anna Maria, middleName Eriksson, birthDate 1974-08-12, documentKind passport, docNumber L898902C3',
    ])
  })

  it('a machine-readable zone gives nothing if any digit is changed', () => {
    const figures = [...zone.matchAll(/\d/g)].filter(({ index }) => index > 45)
    expect(figures.length).toBeGreaterThan(20)
    for (const { index, 0: figure } of figures) {
      const wrong = `${zone.slice(0, index)}${(Number(figure) + 1) % 10}${zone.slice(index + 1)}`
      expect(read(wrong).people, wrong).toEqual([])
    }
  })
})

describe('the work of reading a text', () => {
  const hostile = [
    '3/8/2027 ',
    '1 ',
    '111.111 ',
    '111 ',
    'MAD-',
    'MAD',
    'Madrid ',
    'Madrid - Roma ',
    'Madrid (MAD) IB1234\n',
    'may 3 ',
    '2 adultos ',
    'adultos: 2 ',
    '2 adultos, 1 ado y ',
    'Adulto 1: Ana Vega\n',
    'Lorena      Cano Vidal      ',
    'escala en ',
    'Nombre Pasaporte\n',
    'llegada a Madrid el 3/8/2027 ',
    'dni 12345678z, ',
    'other passengers: ',
    'adultos 2 (4-7) ',
    'total 1,00 € ',
    'total ',
    '\n',
    ' ',
    'a',
    '(',
    'Pasajeros:\n1. A\n',
    '4 y 5 ',
    'vuelta ',
    'cancel',
    'viaje ',
    'GARCIA/ANA ',
    'GARCIA/ANA MRS 12MAR85 ',
    'garcía/ana ',
    '1. garcía/ana mrs\n',
    'fecha de la reserva ',
    'del 3 al ',
    '1.GARCIA/ANA MRS ',
    'IB6253 Y 15JAN 5 MADJFK HK3 ',
    'SSR DOCS IB HK1 P/ESP/PAB123456/ESP/12MAR85/F/20NOV30/GARCIA/ANA ',
    'P<ESPGARCIA<<ANA<<<<<<<<<<<<<<<<<<<<<<<<<<<<<\n',
    'P<',
    'Pasajeros: Ana Vega y ',
    'Ana Vega ',
    'ANA ',
    'García López, ',
    'Titular: Ana ',
    '12345678Z ',
    'pasaporte AB123456 ',
    'ana@correo.example ',
    'a.',
    '@',
    'móvil 612 345 678 ',
    '6 ',
    '[19/11/26, 18:04] Ana: ',
    'nacida el 12/03/1985 ',
    'Madrid (MAD) 12:05\n',
    'MAD 12:05\n',
  ]

  test.each(hostile)('the work grows linearly with the length of a text of only %j', part => {
    const [some, twice] = [20_000, 40_000].map(length => workOf(part.repeat(length / part.length)))
    if (!some || !twice) throw new Error('no work')
    expect(twice.scanned).toBeLessThan(some.scanned * 2.1)
    expect(twice.scanned).toBeLessThan(40_000 * 400)
  })

  it('the work has a limit per character, as no pattern repeats endlessly', () => {
    const sources = new Set(hostile.flatMap(part => [...workOf(part.repeat(20_000 / part.length)).sources]))
    expect(sources.size).toBeGreaterThan(20)
    expect(
      [...sources].filter(source => !/^(?:\[[^\]]+\]|\\p\{M\})\+$/.test(source) && /[*+]|\{\d+,\}/.test(withoutLiterals(source))),
    ).toEqual([])
  })

  const withoutLiterals = (source: string): string => source.replaceAll(/\\.|\[(?:\\.|[^\]])*\]/g, 'x')

  /** Counts the characters that patterns scan, and lists the patterns that read more than one line. */
  function workOf(text: string) {
    const prototype: { exec: (this: RegExp, input: string) => RegExpExecArray | null } = RegExp.prototype
    const { exec } = prototype
    const sources = new Set<string>()
    let scanned = 0
    prototype.exec = function (input) {
      const from = this.global || this.sticky ? this.lastIndex : 0
      const match = exec.call(this, input)
      scanned += match ? match.index + match[0].length - from : this.sticky ? 1 : input.length - from
      if (input.length > 1000) sources.add(this.source)
      return match
    }
    try {
      read(text)
    } finally {
      prototype.exec = exec
    }
    return { scanned, sources }
  }
})
