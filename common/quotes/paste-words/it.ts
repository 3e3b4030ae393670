import type { PasteWords } from './words.ts'

export const it: PasteWords = {
  frequent:
    'il, gli, della, e, per, con, di, che, dal, alla, notti, partenza, ritorno, viaggio, prenotazione, volo, andata, gentile, data, adulti, sono',
  months:
    'gennaio gen, febbraio feb, marzo mar, aprile apr, maggio mag, giugno giu, luglio lug, agosto ago, settembre sett set, ottobre ott, novembre nov, dicembre dic',
  weekdays: 'domenica dom, lunedi lun, martedi mar, mercoledi mer, giovedi gio, venerdi ven, sabato sab',
  numbers: 'un uno una, due, tre, quattro, cinque, sei, sette, otto, nove, dieci',

  notTripDay:
    'restante, cancel*, annul*, disdett*, pago*, paga*, saldo, acconto, deposit*, anticipo, scad*, limit*, valid*, fattura, emess*, emis*, offert*, promo*, chius*, passaporto, aggiorn*, inviat*, prima di, prima del, online, newsletter, anno scorso',
  birth: 'nato, nata, nascita',
  booked:
    'data prenotazione, data di prenotazione, data della prenotazione, data acquisto, data di acquisto, data ordine, prenotato, prenotata, prenotati, prenotazione effettuata, acquistato il, acquistata il',
  bookedOf: 'prenotazione del, acquisto del, ordine del, iscrizione del',
  start: 'dal:, imbarco, andata, inizio, partono, partiamo, check-in',
  end: 'al:, ritorn*, torniamo, tornano, torno, rientr*, fino al, fine, sbarco, check-out',
  leaves: 'partenza, parte',
  arrives: 'arriv*',
  mailHead: 'data, da',
  nextDay: 'giorno dopo, giorno seguente, giorno successivo, +1 giorno',
  duration: 'durata, scalo, sosta',
  choice: 'opzion*, alternativ*, oppure',
  rangeStart: 'dal, da, il',
  rangeEnd: 'al, a, fino al',
  rangeLast: 'al, a',
  dayArticle: 'il',
  ofMonth: 'di, del',

  ageGroup:
    'adulto, adulti, adulta, adulte, bambin*, neonato, neonati, ragazzo, ragazzi, ragazza, ragazze, adolescente, adolescenti, minore, minori, chd, inf, adt',
  child:
    'bambin*, neonato, neonati, ragazzo, ragazzi, ragazza, ragazze, adolescente, adolescenti, minore, minori, figlio, figlia, figli, figlie, nipot*',
  traveller: 'persona, persone, passeggero, passeggeri, viaggiatore, viaggiatori, ospite, ospiti, pax',
  participant: 'partecipanti',
  listHead: 'dati, dati dei, dati degli, nomi, nomi dei, nomi degli, gli, i',
  others: 'altri, gli altri, altre',
  partyOf: 'siamo in, saremo in, famiglia di',
  notTheCount: 'max*, fino a, min*, capienza, capacita, per',
  orMore: 'a, o',
  countOf: 'numero, numero di, totale, total',
  room: 'camera',
  rooms: 'camere',
  years: 'anno, anni',
  age: 'eta',
  relative:
    'figlio, figlia, figli, figlie, moglie, marito, compagn*, genitori, madre, padre, mamma, papa, fratell*, sorell*, suocer*, nonno, nonna, nonni, io',
  and: 'e, ed',
  including: 'con',
  plus: 'con',

  nameTitle: 'sig, sig., sig.ra, sig.na, signor, signora, dott, dott., dott.ssa, dr, dr.',
  listTitle: 'chi viaggia, chi vola',
  personLabel:
    "mia moglie, mio marito, intestatario, accompagnatore, prenotato a nome di, a nome di, nome dell'ospite, nome del passeggero, nome, nome e cognome, assicurato, contraente, cliente",
  surnameHead: 'cognome, cognomi',
  givenHead: 'nome, nomi',
  passport: 'passaporto',
  mine: 'io, mio, mia, il mio',
  mobile: 'cellulare, cell, cell., mobile, mio numero, recapito, contatti, contatto, whatsapp, telefono cliente',
  telephone: 'tel, tel., telefono',
  mailbox: 'email, e-mail, mail, posta, mia mail',
  agency: 'agenzia, hotel, assistenza, servizio clienti, ufficio, s.r.l, srl, emergenza',
  signature: 'agenzia, viaggi, consulente',
  notName:
    'nascita, nasc, passeggero, passeggeri, ospite, ospiti, viaggiatori, partecipanti, volo, voli, tariffa, bagaglio, posto, biglietto, prenotazione, codice, classe, prezzo, totale, tasse, pagamento, contatto, contatti, dati, andata, ritorno, partenza, arrivo, hotel, camera, documento, passaporto, nato, nata, data, email, telefono, ciao, grazie, gentile, saluti, il, lo, la, i, gli, le, mio, mia, io, viaggio, destinazione, agenzia, assicurazione, numero, stato, confermato, confermata, adulto, adulti, quota, pratica, crociera, cabina, tessera, socio, fedelta',
  cancelled: 'e stata cancellata, e stata annullata, prenotazione annullata, prenotazione cancellata, conferma di cancellazione',
  advert: 'cancellati, disiscriv*, annulla iscrizione, non desideri piu ricevere',
  reservation:
    'codice prenotazione, numero di prenotazione, numero di conferma, la tua prenotazione, confermata, biglietto, passeggeri, passeggero, pratica',

  total:
    'totale viaggio, totale prenotazione, totale da pagare, totale complessivo, totale generale, importo totale, prezzo totale, costo totale',
  bareTotal: 'totale, tot',
  price: 'prezzo, costa, importo, valor',
  per: 'per, a',
  unit: 'persona, pers, pax, adulto, notte, testa, giorno',
  each: 'cadauno, cad.',
  partial: 'subtotale, tassa, tasse, iva, punti, resto, saldo, acconto, anticipo, sconto, assicurazione, extra, da soli, deposit*',
  amountIn: 'in, di',

  cruise: 'crociera, circuito',
  from: 'partenza, da partire, orig*',
  to: 'meta, arriv*, destin*, scali',
  transit: 'scalo, via, transito, coincidenza, cambio, sosta',
  arrival: 'arriv*',
  going:
    'viagg*, volo, voli, partono, partiamo, soggiorn*, vacanz*, crociera, andiamo, vanno, luna di miel, treno, weekend, week-end, hotel, appartamento',
  setOff: 'partiamo, partono, andiamo',
  setOffFrom: 'da, dal',
  goingTo: 'a, al, in, per, nel, negli',
  article: 'il, lo, la, l',
  tripTitle: 'viaggio, pacchetto, soggiorno, programma',
  days: 'giorno, giorni',
  titleTo: 'a, al, in',
  bookingIn: 'prenotazione a, prenotazione in',
  past: 'ultim*, precedent*, scors*, siamo stati',
  address: 'indirizzo',
  lodging: 'hotel, albergo, appartamento, b&b, residence, villa',
  night: 'notte, notti',
  stay: 'arrivo, check-in, check-out',
  wayBack: 'ritorno',
  wayOut: 'andata',
  station: 'aeroporto, stazione',
  placeHead: 'a, al, in, per, destin*, orig*, paese',
  footer: 's.r.l, srl, p.iva, p. iva, agenzia',
}
