import type { PasteWords } from './words.ts'

export const en: PasteWords = {
  frequent:
    'the, and, your, of, for, with, from, you, is, are, this, thank, dear, booking, nights, outbound, return, flight, travellers, we',
  months:
    'january jan, february feb, march mar, april apr, may, june jun, july jul, august aug, september sept sep, october oct, november nov, december dec',
  weekdays: 'sunday sun, monday mon, tuesday tue tues, wednesday wed, thursday thu thur thurs, friday fri, saturday sat',
  numbers: 'one, two, three, four, five, six, seven, eight, nine, ten',

  notTripDay:
    'remaining, cancel*, payment, payments, paid, pay, balance, deposit*, due, limit*, expir*, valid*, invoice, issue*, offer*, promo*, discount, closed, passport, updated, sent, copyright, since, online, newsletter, last year',
  birth: 'birth*, born, dob, d.o.b',
  booked:
    'booking date, reservation date, order date, purchase date, date of booking, date of reservation, date of purchase, date of order, booked, booking made, booking placed, reservation made',
  start: 'check-in, checkin, embarking, embark, embarkation, outbound, start*, begin*, leave, leaves, leaving, fly out, flying out',
  end: 'check-out, checkout, return*, inbound, until, till, end, ends, ending, disembark*, coming back',
  leaves: 'depart*, dep',
  arrives: 'arriv*, arr',
  mailHead: 'date, from',
  choice: 'option*, alternativ*, either',
  rangeStart: 'from, the',
  rangeEnd: 'to, until, till, through, thru',
  rangeLast: 'to, until, till, through',
  dayArticle: 'the',
  ofMonth: 'of',

  ageGroup: 'adult, adults, children, child, kid, kids, infant, infants, babies, baby, senior, seniors, chd, inf, adt',
  traveller: 'people, person, persons, passenger, passengers, traveller, travellers, traveler, travelers, guest, guests, pax',
  participant: 'participants',
  listHead: 'the, name of, name of the, names of, names of the',
  partyOf: 'we are, family of, party of, group of',
  notTheCount: 'max*, up to, min*, capacity, per, another, between',
  orMore: 'to, or',
  countOf: 'number of, total',
  room: 'room',
  rooms: 'rooms',
  years: 'year, years, year old, years old, year of age, years of age, yo, y.o, y.o.',
  age: 'age, ages, aged',
  relative: 'son, sons, daughter, daughters',
  and: 'and',
  plus: 'with, plus',

  total:
    'grand total, total price, total cost, total amount, total tour price, total trip price, total trip cost, total travel price, total travel cost, total holiday cost, total holiday price, total package price, total booking amount, total booking price, total trip, total booking, total fare, total paid, total charged, total to pay, trip total, booking total',
  bareTotal: 'total',
  price: 'price, cost, costs',
  per: 'per, a, by, each',
  unit: 'person, pers, pax, adult, passenger, night, head, day',
  each: 'each, p/p, pp',
  partial:
    'sub-total*, subtotal*, tax, taxes, vat, points, remaining, balance, outstanding, due, deposit*, discount, insurance, excess, nights, baggage, seat, seats, extra, extras, first payment, refund, fee, fees, from',
  amountIn: 'in',

  cruise: 'cruise, circuit',
  from: 'dep, depart*, from, orig*',
  to: 'arr, arriv*, destin*, to, ports of call',
  going:
    'trip, travel*, fly, flying, flight, flights, stay*, holiday, holidays, honeymoon, cruise, circuit, tour, go, going, train, weekend, week-end, hotel, apartment',
  goingTo: 'to, in, around, of',
  article: 'the, island of',
  tripTitle: 'trip, holiday, tour, circuit, programme',
  titleTo: 'in, of, to',
  bookingIn: 'booking in, booking at, reservation in, reservation at',
  past: 'last, previous*, was, were, went',
  address: 'address',
  lodging: 'hotel, resort, apartment, apartments, residence, b&b, riad, villa, lodge',
  night: 'night, nights',
  stay: 'check-in, check-out, checkin, checkout',
  wayBack: 'return, inbound',
  wayOut: 'outbound',
  station: 'airport, intl, international, station',
  placeHead: 'to, in, from, of, destin*, orig*, country, per',
  footer: 'b.v., ltd, inc, gmbh, plc, vat, registered, iban, swift, tel, telephone, phone',
}
