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
    'booking date, reservation date, order date, purchase date, date of booking, date of reservation, date of purchase, date of order, booked, booking made, booking placed, reservation made, purchased on, bought on, registered on',
  bookedOf: 'booking of, purchase of, order of, booking on',
  start: 'check-in, checkin, embarking, embark, embarkation, outbound, start*, begin*, leave, leaves, leaving, fly out, flying out',
  end: 'home, back on, back, check-out, checkout, return*, inbound, until, till, end, ends, ending, disembark*, coming back',
  leaves: 'depart*, dep',
  arrives: 'arriv*, arr',
  mailHead: 'date, from',
  nextDay: 'next day, following day, +1 day',
  duration: 'duration, layover, stopover, connection, travel time, journey time',
  choice: 'option*, alternativ*, either',
  rangeStart: 'from, the',
  rangeEnd: 'to, until, till, through, thru',
  rangeLast: 'to, until, till, through',
  dayArticle: 'the',
  ofMonth: 'of',

  ageGroup:
    'adult, adults, children, child, kid, kids, infant, infants, babies, baby, senior, seniors, toddler, toddlers, teen, teens, teenager, teenagers, youth, youths, chd, inf, adt',
  child:
    'children, child, kid, kids, infant, infants, babies, baby, toddler, toddlers, teen, teens, teenager, teenagers, son, sons, daughter, daughters, grandchild*, grandson*, granddaughter*, nephew*, niece*',
  traveller: 'people, person, persons, passenger, passengers, traveller, travellers, traveler, travelers, guest, guests, pax',
  participant: 'participants',
  listHead: 'the, name of, name of the, names of, names of the',
  others: 'other, the other',
  partyOf: 'we are, family of, party of, group of',
  notTheCount: 'max*, up to, min*, capacity, per, another, between',
  orMore: 'to, or',
  countOf: 'number of, total',
  room: 'room',
  rooms: 'rooms',
  years: 'year, years, year old, years old, year of age, years of age, yo, y.o, y.o.',
  age: 'age, ages, aged',
  relative:
    'son, sons, daughter, daughters, wife, husband, partner, parents, mother, father, mum, dad, brother*, sister*, grandmother, grandfather, grandparents, grandma, grandpa, i, myself, me',
  and: 'and',
  including: 'with, including',
  plus: 'with, plus',

  nameTitle: 'mr, mr., mrs, mrs., ms, ms., miss, mstr, master, dr, dr., prof',
  listTitle: "who's going, who is going, who is coming, who's flying, who is flying, who's travelling, who is travelling",
  personLabel:
    'my wife, my husband, my partner, lead passenger, lead guest, lead traveller, second passenger, other passengers, guest name, passenger name, traveller name, name of guest, reserved for, booked for, booked by, in the name of, main guest, name, names, full name, insured, policyholder, customer, client',
  surnameHead: 'surname, surnames, last name, last names, family name',
  givenHead: 'name, names, first name, first names, given name, given names, forename, forenames',
  passport: 'passport',
  mine: 'mine, my, i, me',
  mobile: 'mobile, cell, cell phone, my phone, contact number, contact phone, contact, my number, whatsapp',
  telephone: 'tel, tel., phone, telephone',
  mailbox: 'email, e-mail, mail, contact email, my email',
  agency: 'agency, hotel, customer service, help, support, office, ltd, plc, reception, emergency, call us, questions',
  signature: 'travel agent, travel agency, travel, agency, ltd',
  notName:
    'passenger, passengers, guest, guests, traveller, travellers, flight, flights, fare, baggage, bag, bags, seat, ticket, tickets, booking, reference, class, economy, price, total, taxes, payment, contact, details, outbound, return, inbound, departure, arrival, depart, arrive, hotel, room, id, document, passport, born, dob, date, email, phone, mobile, hello, hi, dear, thanks, thank, regards, the, my, our, your, trip, holiday, tour, destination, agency, insurance, number, code, status, confirmed, adult, adults, child, infant, standard, premium, on, for, from, to, quick, lead, main, club, loyalty, membership, flyer, flying, executive, rewards, avios',
  cancelled:
    'has been cancelled, has been canceled, booking cancelled, booking canceled, reservation cancelled, reservation canceled, cancellation confirmation, is cancelled',
  advert: 'unsubscribe, no longer wish to receive, opt out',
  reservation:
    'booking reference, reservation number, booking number, confirmation number, booking code, your booking, your reservation, confirmed, e-ticket, passenger, passengers, itinerary',

  total:
    'grand total, paid in full, total price, total cost, total amount, total tour price, total trip price, total trip cost, total travel price, total travel cost, total holiday cost, total holiday price, total package price, total booking amount, total booking price, total trip, total booking, total fare, total paid, amount paid, total charged, total to pay, trip total, booking total',
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
  transit: 'stopover, layover, via, transit, connection, connecting, change',
  arrival: 'arriv*, arr',
  going:
    'trip, travel*, fly, flying, flight, flights, stay*, holiday, holidays, honeymoon, cruise, circuit, tour, go, going, train, weekend, week-end, hotel, apartment',
  setOff: 'leaving, flying',
  setOffFrom: 'from',
  goingTo: 'to, in, around, of',
  article: 'the, island of',
  tripTitle: 'trip, holiday, tour, circuit, programme',
  days: 'day, days',
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
  footer: 'b.v., ltd, inc, gmbh, plc, vat, registered, iban, swift',
}
