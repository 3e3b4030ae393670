import type { Field, Fields } from './fields.ts'

// The parameters of Stripe's API from version 2026-10-28.endive on, which has dropped payment_method_types.

const text: Field = { kind: 'text' }
const flag: Field = { kind: 'flag' }
const metadata: Field = { kind: 'metadata' }
const expand: Field = { kind: 'list', of: text }
const amount = { kind: 'integer', min: 50, max: 99_999_999 } as const
const captureMethod: Field = { kind: 'choice', of: ['automatic', 'automatic_async', 'manual'] }
/** A flag, or the reason for an off-session payment. */
const offSession: Field = { kind: 'choice', of: ['true', 'false', 'one_off', 'recurring'] }
const paymentMethodTypes = `
  acss_debit affirm afterpay_clearpay alipay alma amazon_pay au_becs_debit bacs_debit bancontact billie bizum blik
  boku_promptpay boleto capchase_pay card card_present cashapp check_scan click_to_pay crypto customer_balance demo_pay duitnow
  dummy_auth_push dummy_passthrough_card edenred eps fpx gcash getbalance gift_card giropay gopay grabpay id_bank_transfer
  ideal interac_present kakao_pay klarna knet konbini kr_card kr_market kriya link mb_way mobilepay momo mondu multibanco
  naver_pay netbanking ng_bank ng_bank_transfer ng_card ng_market ng_ussd ng_wallet nz_bank_account octopus oxxo p24
  paper_check pay_by_bank payco paynow paypal paypay payto pix promptpay qris rechnung revolut_pay samsung_pay satispay
  scalapay sepa_debit sequra shop_pay shopeepay sofort south_korea_market stripe_balance sunbit swish tamara test_pay
  touch_n_go truemoney twint upi us_bank_account us_cash_voucher vipps wechat_pay wero zip`
  .trim()
  .split(/\s+/)
const pages: Fields = { limit: { kind: 'integer', min: 1, max: 100 }, starting_after: text, ending_before: text, expand }

export const createIntent: Fields = {
  amount: { ...amount, required: true },
  currency: { kind: 'currency', required: true },
  automatic_payment_methods: {
    kind: 'group',
    fields: { enabled: { kind: 'flag', required: true }, allow_redirects: { kind: 'choice', of: ['always', 'never'] } },
  },
  allowed_payment_method_types: { kind: 'list', of: { kind: 'choice', of: paymentMethodTypes } },
  capture_method: captureMethod,
  confirm: flag,
  payment_method: text,
  description: text,
  metadata,
  receipt_email: text,
  statement_descriptor_suffix: text,
  expand,
  customer: text,
  return_url: text,
  setup_future_usage: { kind: 'choice', of: ['off_session', 'on_session'] },
  off_session: offSession,
  error_on_requires_action: flag,
}

export const updateIntent: Fields = {
  amount,
  currency: { kind: 'currency' },
  description: text,
  metadata,
  receipt_email: text,
  payment_method: text,
  expand,
}

export const confirmIntent: Fields = {
  payment_method: text,
  return_url: text,
  receipt_email: text,
  capture_method: captureMethod,
  off_session: offSession,
  error_on_requires_action: flag,
  use_stripe_sdk: flag,
  expand,
}

/** The browser may set fewer fields of the payment, but only the browser has the card. */
export const confirmInBrowser: Fields = {
  client_secret: { kind: 'text', required: true },
  key: text,
  payment_method: text,
  payment_method_data: {
    kind: 'group',
    fields: {
      type: { kind: 'choice', of: ['card'], required: true },
      card: {
        kind: 'group',
        required: true,
        fields: {
          number: { kind: 'text', required: true },
          exp_month: { kind: 'integer', min: 0, required: true },
          exp_year: { kind: 'integer', min: 0, required: true },
          cvc: text,
        },
      },
      billing_details: {
        kind: 'group',
        fields: {
          name: text,
          email: text,
          phone: text,
          address: { kind: 'group', fields: { city: text, country: text, line1: text, line2: text, postal_code: text, state: text } },
        },
      },
    },
  },
  return_url: text,
  receipt_email: text,
  use_stripe_sdk: flag,
}

export const retrieveIntent: Fields = { client_secret: text, key: text, expand }
/** The cardholder's response, which a real bank page would send. Stripe has no such call in its public API. */
export const authenticate: Fields = {
  client_secret: text,
  key: text,
  outcome: { kind: 'choice', of: ['approve', 'fail'], required: true },
}
export const cancelIntent: Fields = {
  cancellation_reason: { kind: 'choice', of: ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'] },
  expand,
}
export const captureIntent: Fields = { amount_to_capture: { kind: 'integer', min: 1 }, final_capture: flag, metadata, expand }
export const listIntents: Fields = { ...pages, created: { kind: 'seconds' }, customer: text, customer_account: text }
export const searchIntents: Fields = {
  query: { kind: 'text', required: true },
  limit: { kind: 'integer', min: 1, max: 100 },
  page: text,
  expand,
}
export const createRefund: Fields = {
  amount: { kind: 'integer', min: 1 },
  charge: text,
  currency: text,
  customer: text,
  expand,
  instructions_email: text,
  metadata,
  origin: { kind: 'choice', of: ['customer_balance'] },
  payment_intent: text,
  reason: { kind: 'choice', of: ['duplicate', 'fraudulent', 'requested_by_customer'] },
  refund_application_fee: flag,
  reverse_transfer: flag,
}
export const listRefunds: Fields = { ...pages, created: { kind: 'seconds' }, payment_intent: text, charge: text }
export const listEvents: Fields = {
  ...pages,
  created: { kind: 'seconds' },
  delivery_success: flag,
  type: text,
  types: { kind: 'list', of: text },
}
export const onlyExpand: Fields = { expand }
