import type { PasteWords } from './words.ts'

export const fr: PasteWords = {
  frequent:
    "le, les, des, du, et, vous, votre, vos, pour, avec, au, aux, une, nuits, depart, retour, voyage, bonjour, vol, aller, c'est, date, passagers, est",
  months:
    'janvier janv jan, fevrier fevr fev, mars, avril avr, mai, juin, juillet juil, aout, septembre sept sep, octobre oct, novembre nov, decembre dec',
  weekdays: 'dimanche dim, lundi lun, mardi mar, mercredi mer, jeudi jeu, vendredi ven, samedi sam',
  numbers: 'un une, deux, trois, quatre, cinq, six, sept, huit, neuf, dix',

  notTripDay:
    "restant*, annul*, paiement, payer, paye, solde, acompte, echeance, limit*, expir*, valid*, valab*, facture, emis*, etabli*, offr*, promo*, ferme*, passeport, mis a jour, envoye*, depuis, avant, en ligne, newsletter, l'an dernier",
  birth: 'ne, nee, ne(e), nes, nees, naissance, naiss',
  booked:
    "date reservation, date de reservation, date de la reservation, date d'achat, date de commande, date de la commande, reserve le, reservee le, reserves le, reservees le, reservation effectuee, reservation faite, achete le, inscription le, inscription enregistree, inscrits le",
  bookedOf: 'reservation du, achat du, commande du, inscription du',
  start: 'embarquement, aller, debut, partent, partons, check-in',
  end: "retour, rentrent, reviennent, jusqu'au, debarquement, fin, check-out",
  leaves: 'depart*',
  arrives: 'arriv*',
  mailHead: 'date, de',
  nextDay: 'lendemain, jour suivant, +1 jour',
  duration: 'duree, escale, correspondance, temps de vol',
  choice: 'option*, alternativ*, ou bien, soit',
  rangeStart: 'du, de, le',
  rangeEnd: "au, a, jusqu'au",
  rangeLast: "au, a, jusqu'au",
  dayArticle: 'le',
  ofMonth: 'de',

  ageGroup:
    'adulte, adultes, enfant, enfants, bebe, bebes, senior, seniors, ado, ados, adolescent, adolescents, adolescente, adolescentes, jeunes, nourrisson, nourrissons, chd, inf, adt',
  child:
    'enfant, enfants, bebe, bebes, ado, ados, adolescent, adolescents, adolescente, adolescentes, nourrisson, nourrissons, fils, fille, filles, petit-fils, petite-fille, petits-enfants, neveu*, niece*',
  traveller: 'personne, personnes, passager, passagers, voyageur, voyageurs, pax',
  participant: 'participants',
  listHead: 'nom des, noms des, nom de, noms de, les',
  others: 'autres, les autres',
  partyOf: 'nous sommes, nous serons, famille de',
  notTheCount: "max*, jusqu'a, capacite, par, min*, entre",
  orMore: 'a, ou',
  countOf: 'nombre de, total',
  room: 'chambre',
  rooms: 'chambres',
  years: 'an, ans',
  age: 'age, ages',
  relative:
    'fils, fille, filles, femme, mari, epouse, epoux, conjoint, conjointe, compagn*, parents, mere, pere, frere*, soeur*, belle-mere, beau-pere, grand-*, moi',
  and: 'et',
  including: 'avec, dont',
  plus: 'avec, plus',

  nameTitle: 'm, m., mr, mme, mme., mlle, mlle., monsieur, madame, mademoiselle, dr, dr.',
  listTitle: 'qui voyage, qui part',
  personLabel:
    'titulaire, accompagnant, nom du voyageur, nom du client, nom du passager, au nom de, reserve pour, reservation pour, nom, noms, assure, souscripteur, client, cliente, moi, mon mari, ma femme, mon epouse, mon conjoint',
  surnameHead: 'nom, noms, nom de famille',
  givenHead: 'prenom, prenoms',
  passport: 'passeport',
  mine: 'moi, mon, ma, le mien',
  mobile: 'mon mobile, portable, mobile, mon telephone, mon numero, contact client, contact, coordonnees, telephone de contact, whatsapp',
  telephone: 'tel, tel., telephone',
  mailbox: 'courriel, e-mail, email, mail, mon mail, adresse mail',
  agency: 'agence, hotel, service client, assistance, sarl, bureau, urgence, question, appel',
  signature: 'agence, voyages, conseillere, conseiller',
  notName:
    'naissance, nais, passager, passagers, voyageur, voyageurs, vol, vols, tarif, bagage, bagages, siege, place, billet, reservation, dossier, classe, prix, total, taxes, paiement, contact, coordonnees, aller, retour, depart, arrivee, hotel, chambre, document, passeport, ne, nee, date, courriel, telephone, bonjour, merci, cordialement, le, la, les, mon, ma, mes, moi, nous, vos, votre, voyage, sejour, circuit, destination, agence, assurance, numero, code, statut, confirme, confirmee, adulte, adultes, enfant, bebe, un, une, qui, prenom, nom, carte, fidelite',
  cancelled: "a ete annulee, a ete annule, est annulee, reservation annulee, confirmation d'annulation",
  advert: 'se desabonner, vous desabonner, desinscri*, ne plus recevoir',
  reservation:
    'reference de reservation, numero de reservation, numero de confirmation, votre reservation, ta reservation, dossier, confirmee, billet, passagers, passager',

  total:
    'montant total, prix total, cout total, total ttc, total general, total du voyage, total du sejour, total du dossier, total de la reservation, total a payer, total de votre',
  bareTotal: 'total, tot',
  price: 'prix, coute, montant',
  per: 'par, chacun',
  unit: 'person, personne, pers, pax, adult, adulte, nuit, jour',
  each: 'chacun',
  partial: 'sous-total, taxe, taxes, tva, points, restant*, solde, acompte, remise, assurance, bagages, frais, a partir, extra, extras',
  amountIn: 'en, au',

  cruise: 'croisiere, circuit',
  from: 'depart*, partant',
  to: 'arriv*, destin*, vers, escales, ports d escale',
  transit: 'escale, via, transit, correspondance, changement',
  arrival: 'arriv*',
  going:
    'voyag*, sejour*, vol, vols, partir, part, pars, partent, partons, vacances, croisiere, circuit, lune de miel, train, weekend, week-end, hotel',
  setOff: 'partons, partent',
  setOffFrom: 'de, depuis',
  goingTo: 'a, en, au, aux, vers',
  article: 'la, l, les, le',
  tripTitle: 'voyage, sejour, circuit, programme',
  days: 'jour, jours',
  titleTo: 'a, du, de, en, au, aux',
  bookingIn: 'reservation a, reservation en, reservation au',
  past: 'dernier*, precedent*, alles',
  address: 'adresse',
  lodging: 'hotel, residence, riad, villa',
  night: 'nuit, nuits',
  stay: 'arrivee, check-in, check-out',
  wayBack: 'retour',
  wayOut: 'aller',
  station: 'aeroport, gare',
  placeHead: 'a, en, au, aux, de, destin*, orig*, pays, vers',
  footer: 'sarl, siret, rcs, agence',
}
