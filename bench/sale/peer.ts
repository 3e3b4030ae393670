import type { Json } from '#testing/agent.ts'
import { type Connection, headOf, load } from '../load.ts'

/** Another shop to compare with: a Vendure, whose shop API is at a URL (docs/figures/README.md). */
export type Peer = { perSecond(callers: number, seconds: number): Promise<number> }

/** The six mutations of a guest's sale, each a separate request, as its storefronts send them. */
const mutations = {
  addItemToOrder: ['$variant: ID!', 'productVariantId: $variant, quantity: 2'],
  setCustomerForOrder: ['$customer: CreateCustomerInput!', 'input: $customer'],
  setOrderShippingAddress: ['$address: CreateAddressInput!', 'input: $address'],
  setOrderShippingMethod: ['$shipping: [ID!]!', 'shippingMethodId: $shipping'],
  transitionOrderToState: ['$state: String!', 'state: $state'],
  addPaymentToOrder: ['$payment: PaymentInput!', 'input: $payment'],
} as const

const answer = '__typename ... on Order { code state } ... on ErrorResult { errorCode message }'
const texts: Record<string, string> = Object.fromEntries(
  Object.entries(mutations).map(([name, [declared, given]]) => [name, `mutation (${declared}) { ${name}(${given}) { ${answer} } }`]),
)

export async function openPeer(url: string): Promise<Peer> {
  const api = new URL(url)
  if (api.pathname === '/') api.pathname = '/shop-api'
  const known = await ask(
    api,
    `{ products(options: { take: 1 }) { items { variants { id } } } availableCountries { code }
       activeShippingMethods { id } activePaymentMethods { code } }`,
  )
  const country = known.availableCountries[0]?.code
  const given = {
    variant: known.products.items[0]?.variants[0]?.id,
    shipping: [known.activeShippingMethods[0]?.id],
    address: { fullName: 'Ana García', streetLine1: 'Calle Mayor 1', city: 'Madrid', postalCode: '28014', countryCode: country },
    state: 'ArrangingPayment',
    payment: { method: known.activePaymentMethods[0]?.code, metadata: {} },
  }
  const sell = sellerAt(api, given)
  return { perSecond: async (callers, seconds) => (await load(api.origin, callers, seconds, sell)).perSecond }
}

/** Sells to a new guest each time, in a new session. */
function sellerAt({ pathname }: URL, given: Record<string, unknown>): (connection: Connection) => Promise<void> {
  const run = Date.now()
  let sales = 0
  return async connection => {
    const customer = { firstName: 'Ana', lastName: 'García', emailAddress: `ana-${run}-${++sales}@example.es`, phoneNumber: '+34612345678' }
    const session: Record<string, string> = {}
    const mutate = async (name: string, variables: Record<string, unknown>) => {
      const { status, head, body } = await connection.ask(
        headOf('POST', pathname, session),
        JSON.stringify({ query: texts[name], variables }),
      )
      const token = /^vendure-auth-token: (\S+)/im.exec(head)?.[1]
      if (token) session['authorization'] = `Bearer ${token}`
      if (status !== 200 || !body.includes('"__typename":"Order"')) throw new Error(`${name} answered ${status}: ${body.slice(0, 300)}`)
      return body
    }
    await mutate('addItemToOrder', given)
    if (!session['authorization']) throw new Error('the peer sends no token: its authOptions need tokenMethod bearer')
    await mutate('setCustomerForOrder', { customer })
    await mutate('setOrderShippingAddress', given)
    await mutate('setOrderShippingMethod', given)
    await mutate('transitionOrderToState', given)
    const paid = await mutate('addPaymentToOrder', given)
    if (!/"state":"Payment(?:Settled|Authorized)"/.test(paid)) throw new Error(`not sold: ${paid.slice(0, 300)}`)
  }
}

async function ask(api: URL, query: string): Promise<Json> {
  const reply = await fetch(api, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })
  const { data, errors }: Json = await reply.json()
  if (!data || errors) throw new Error(`${api.href} answered ${reply.status}: ${JSON.stringify(errors).slice(0, 300)}`)
  return data
}
