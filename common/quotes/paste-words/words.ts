/**
 * The words of one language: phrases between commas, in small letters without accents; `*` stands for any ending. Months, weekdays and numbers are in
 * order, each with its short forms after a blank.
 */
export type PasteWords = Record<Calendar | DateWords | PeopleWords | NameWords | AmountWords | PlaceWords | 'frequent' | 'footer', string>

type Calendar = 'months' | 'weekdays' | 'numbers'
type DateWords =
  | 'notTripDay'
  | 'birth'
  | 'booked'
  // Only right before a date that does not begin a range: `compra del 16/11/2026`.
  | 'bookedOf'
  | 'start'
  | 'end'
  | 'leaves'
  | 'arrives'
  | 'mailHead'
  | 'nextDay'
  | 'duration'
  | 'choice'
  // Small words in dates: `del 3 al 17 de agosto`, `hasta el día 17`.
  | 'rangeStart'
  | 'rangeEnd'
  | 'rangeLast'
  | 'dayArticle'
  | 'ofMonth'
type PeopleWords =
  | 'ageGroup'
  // Words for children, including a family's own.
  | 'child'
  | 'traveller'
  | 'participant'
  | 'listHead'
  // Words that refer to a person named above: `other passengers`.
  | 'others'
  | 'partyOf'
  | 'notTheCount'
  | 'orMore'
  | 'countOf'
  | 'room'
  | 'rooms'
  | 'years'
  | 'age'
  | 'relative'
  | 'and'
  | 'plus'
  // The words of `plus` that may include the counted party: `familia de 4 con 2 niños`.
  | 'including'
type NameWords =
  | 'nameTitle'
  | 'listTitle'
  | 'personLabel'
  // The heads of a table's columns for parts of a name.
  | 'surnameHead'
  | 'givenHead'
  | 'passport'
  // The words of a message's sender for themselves: `el mío 52013478J`.
  | 'mine'
  | 'mobile'
  | 'telephone'
  | 'mailbox'
  | 'agency'
  | 'signature'
  | 'notName'
  | 'cancelled'
  | 'advert'
  | 'reservation'
type AmountWords = 'total' | 'bareTotal' | 'price' | 'per' | 'unit' | 'each' | 'partial' | 'amountIn'
type PlaceWords =
  | 'cruise'
  | 'from'
  | 'to'
  // A stop on the way, which is not a destination.
  | 'transit'
  // The words of `to` for the day on which the client is home.
  | 'arrival'
  | 'going'
  | 'setOff'
  | 'setOffFrom'
  | 'goingTo'
  | 'article'
  | 'tripTitle'
  | 'days'
  | 'titleTo'
  | 'bookingIn'
  | 'past'
  | 'address'
  | 'lodging'
  | 'night'
  | 'stay'
  | 'wayBack'
  | 'wayOut'
  | 'station'
  | 'placeHead'
