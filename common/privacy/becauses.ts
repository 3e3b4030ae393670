/** The reasons for which data about a person is erased, blocked, kept, refused, copied or corrected. */
export const becauses = [
  'no_contract',
  'law',
  'in_force',
  'open_claim',
  'open_money',
  'held',
  'blocked_already',
  'asked',
  'right_already',
  'not_sold',
  'over',
  'price',
  'rules',
] as const
