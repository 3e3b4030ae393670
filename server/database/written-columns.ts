import type { Insertable } from 'kysely'
import { type PersonColumns, personFieldNames, personFields } from '#common/people/person.ts'
import type { Tables } from '#server/kit/sql/tables.ts'
import type { JobRow } from '#server/kit/work/jobs.ts'

type NamesIn<Line> = Line extends `${infer Name} ${infer Rest}` ? Name | NamesIn<Rest> : Line
type IsSame<A, B> = [A, B] extends [B, A] ? unknown : never

/** Returns the columns that a movement writes in a table, but for the unit. A missing or unknown one does not compile. */
const columnsOf =
  <Row>() =>
  <const Lines extends readonly string[]>(...lines: Lines & IsSame<NamesIn<Lines[number]>, Exclude<keyof Row, 'business_unit_id'>>) =>
    lines.flatMap(line => line.split(' '))

/** The columns of each table that write_movement.sql writes: their only list. */
const columns = {
  policies: columnsOf<Insertable<Tables['policies']>>()(
    'id status version number product_id product_name product_sort taker taker_sort seller_id seller_name seller_sort reference reference_sort',
    'start_date end_date locale currency total_cents commission_cents complete price_valid_until created_at updated_at purchased_at search',
    'sold_version sold_cents ended_kind ended_at cover_ends erased_at renews renewal_judged',
  ),
  policy_versions: columnsOf<Insertable<Tables['policy_versions']>>()(
    'policy_id version at user_id role_first_user pax_number catalogue_version product_version tariff_version total_cents tariff_premium_cents',
    'currency content',
  ),
  // A field that is added changes the function. Older nodes, which do not know it, leave it empty.
  policy_people: [
    ...personFieldNames.map(field => personFields[field].column),
    ...columnsOf<Omit<Insertable<Tables['policy_people']>, keyof PersonColumns>>()(
      'policy_id version position holder traveller sealed sealed_by document_hash identification_type_id premium_cents name_sort given_sort person_id',
    ),
  ],
  policy_price_lines: columnsOf<Insertable<Tables['policy_price_lines']>>()('policy_id version position kind code rate amount_cents'),
  policy_segments: columnsOf<Insertable<Tables['policy_segments']>>()('policy_id version position from_day to_day premium_cents joined'),
  policy_deeds: columnsOf<Insertable<Tables['policy_deeds']>>()(
    'id policy_id kind from_version to_version at user_id user_name withdrawal_id request_key basis reason note asked wait_until difference_cents',
    'charge_cents refund_cents stopped_cents kept_cents waived_cents commission_cents currency routes',
  ),
  money_book: columnsOf<Insertable<Tables['money_book']>>()(
    'id at kind policy_id policy_version deed_id payment_id refund_id request_id product_id seller_id currency tax taxes insurer_premium insurer_cost',
    'commission_expense commission_payable agency_account card_clearing refunds_payable chargebacks bank write_off stamp_duty',
  ),
  payments: columnsOf<Insertable<Tables['payments']>>()(
    'id policy_id policy_version gateway gateway_id user_id amount_cents currency state idempotency_key request_key intent_id received_cents',
    'refunded_cents created_at check_at settled_at purpose',
  ),
  policy_history: columnsOf<Insertable<Tables['policy_history']>>()('policy_id id at user_id user_name what details'),
  audit: columnsOf<Insertable<Tables['audit']>>()('id at user_id action object outcome reason network user_agent request_id details'),
  files: columnsOf<Insertable<Tables['files']>>()(
    'id kind name media_type locale state content_id size sha256 sealed_by user_id policy_id policy_version replaced_by quote_id product_id created_at',
  ),
  // The database says the rest of a new job.
  jobs: columnsOf<JobRow>()('id topic subscriber payload state run_at created_at'),
  policy_counts: columnsOf<Insertable<Tables['policy_counts']>>()('part budgeted pending purchased cancelled deleted blocked changed'),
}

/** Puts the columns of a table in the place of `{table}`, and those of a row of it in the place of `{row.table}`. */
export const withColumns = (text: string): string =>
  text.replaceAll(/\{(?:(\w+)\.)?(\w+)\}/g, (_, row: string | undefined, table: keyof typeof columns) =>
    columns[table].map(name => (row ? `${row}.${name}` : name)).join(', '),
  )
