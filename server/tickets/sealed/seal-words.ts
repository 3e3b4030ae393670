import type { World } from '#server/kit/app-context.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import { unitsOf, untilNone } from '#server/kit/sealed/reseal.ts'
import { keepMessage, keepTicket, keysOfWords, messagesSealedBy, ticketsSealedBy } from './queries.ts'
import { bodyOf, messageColumns, ticketColumns, wordsOf } from './words.ts'

type Sealing = Pick<World, 'database' | 'secrets'>

const tables = ['tickets', 'ticket_messages'] as const

/** Throws at the start if a key of tickets' texts is missing, instead of later on a user's page. */
export const checkWords = ({ database, secrets }: Sealing): Promise<void> =>
  database.asService(async tx => {
    for (const table of tables) for (const key of await keysOfWords(tx, table)) if (key !== null) secrets.demandKey(key)
  })

/** How many rows a transaction encrypts, few enough that no user waits for them. */
const batch = 100

/**
 * Encrypts all texts with the present key that an older version left in clear or a former key encrypted. Users and other nodes may work meanwhile.
 * Returns how many tickets and messages there were.
 */
export async function sealWords({ database, secrets }: Sealing, isStopping = () => false): Promise<number> {
  let all = 0
  for (const table of tables) {
    const keys = await database.asService(tx => keysOfWords(tx, table))
    const seal = table === 'tickets' ? sealTickets : sealMessages
    for (const key of keys.filter(key => key !== secrets.sealedBy))
      for (const unitId of await database.asService(unitsOf))
        all += await untilNone(isStopping, () => database.atLeisure(tx => seal(secrets, tx, unitId, key)))
  }
  return all
}

async function sealTickets(secrets: World['secrets'], tx: ServiceTx, unitId: string, key: string | null): Promise<number> {
  const tickets = await ticketsSealedBy(tx, unitId, key, batch)
  for (const ticket of tickets) {
    const { description, answers } = wordsOf(secrets, ticket)
    await keepTicket(tx, ticket, ticketColumns(secrets, ticket.id, { description, form: { ...ticket.form, answers } }))
  }
  return tickets.length
}

async function sealMessages(secrets: World['secrets'], tx: ServiceTx, unitId: string, key: string | null): Promise<number> {
  const messages = await messagesSealedBy(tx, unitId, key, batch)
  for (const message of messages) await keepMessage(tx, message, messageColumns(secrets, message.id, bodyOf(secrets, message)))
  return messages.length
}
