import { describe, expect, test } from 'vitest'
import { headingOf } from './headers.ts'

/** Column names of agencies' sheets, collected before the code was read. The earlier code knew 67 of the 110. */
const sheets = {
  first: 'First name',
  name: 'Nombre | NOMBRE PAX | Nombre de pila | Given names | Prénom(s) | Nome | Nome próprio | Nombres | Prénoms | Nome passeggero',
  surname:
    'Apellidos | APELLIDOS PASAJERO | Apelidos | Apellido 1 | 1er Apellido | Primer apellido | Surname | Nom de famille | Cognome | Apelido | Family name | Noms | Cognome passeggero | Último apelido',
  last: 'Last name',
  nom: 'Nom',
  second: 'Apellido 2 | 2º apellido',
  full: 'Apellidos y nombre | Nombre y apellidos | Nombre completo | Pasajero | Nom et prénom | Nome e cognome | Nome completo | APELLIDOS Y NOMBRE DEL VIAJERO | NOM Prénom | Cognome e Nome',
  birthDate:
    'F. Nac | F.Nac. | Fecha nac. | FECHA NACIMIENTO | Nacimiento | Fecha de nacimiento (dd/mm/aaaa) | DOB | Date of birth | Birthdate | D. naiss. | Né(e) le | Date de naissance | Data di nascita | Nato/a il | Data nasc. | Nascimento | Fecha Nacim. | Fec. nacimiento | FECHA NACIMIENTO (DD-MM-AAAA) | Date de naissance (JJ/MM/AAAA) | DATA NASCITA | Data de Nascimento',
  docNumber:
    'NIF | DNI/NIE | DNI o Pasaporte | Nº Pasaporte | Pasaporte | N° documento | Passport No. | N° passeport | Pièce d’identité | C.F. | Codice fiscale | N. documento | N.º do passaporte | Cartão de cidadão | NIF / CC | Nº DNI | DNI / NIE / Pasaporte | Num. Documento | NIF/NIE | Documento identidad | Passport Number | N° CNI ou passeport | Numero carta d’identità | Nº CC/Passaporte',
  documentKind: 'Tipo doc.',
  nothing:
    'Sexo | Caducidad pasaporte | Nacionalidad | Passport expiry date | Civilité | Luogo di nascita | Validade do passaporte | Habitación | Género | Talla camiseta | Teléfono móvil | Observaciones | Nationality | Gender | Title | Lead passenger | Age | Date d’expiration | Cittadinanza | Sesso | Email do cliente',
}
const columns = Object.entries(sheets).flatMap(([kind, names]) => names.split(' | ').map(name => [name, kind] as const))

describe('the name of a column', () => {
  test.each(columns)('%j means %s', (name, kind) => expect(headingOf(name)?.kind ?? 'nothing').toBe(kind))

  // Portugal's cards are known by their initials.
  test.each(['CC', 'C.C.', 'Nº CC', 'BI/CC'])('%j means a document', name => expect(headingOf(name)?.kind).toBe('docNumber'))

  // Such a column holds given names if surnames have another, else whole names.
  test.each(['Passenger name', 'Traveller’s name', 'Nome do passageiro'])('%j means a name', name =>
    expect(headingOf(name)?.kind).toBe('name'),
  )

  test.each([
    ['Apellidos y nombre', 'surnamesFirst'],
    ['Nom, Prénom', 'surnamesFirst'],
    ['Last name, first name', 'surnamesFirst'],
    ['Nombre y apellidos', 'givenFirst'],
    ['Nome e apelidos', 'givenFirst'],
    ['First and last name', 'givenFirst'],
    ['Nombre completo', undefined],
    ['Pasajero', undefined],
  ])('%j says which part of a whole name comes first: %s', (name, order) => expect(headingOf(name)).toEqual({ kind: 'full', order }))

  test.each([
    '',
    'Nº',
    'ID',
    'Fecha',
    'Nac.',
    'Segundo nombre',
    'Nº pasajero',
    'Nombre de la agencia',
    'Tipo de viajero',
    'País de nacimiento',
  ])('%j means nothing', name => expect(headingOf(name)).toBeUndefined())
})
