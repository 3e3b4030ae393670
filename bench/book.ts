import { asker, signIn } from '#testing/agent.ts'
import type { Service } from '#testing/service.ts'
import { compare, type Figure } from './compare.ts'
import { load } from './load.ts'
import { seller } from './sale/seller.ts'
import type { Setup } from './setup.ts'

type Effort = { rounds: number; seconds: number; callers: number[] }

/** Measures a sale on account with and without the money book. Also many sellers of an agency with and without a credit limit. */
export async function benchBook({ service, agent }: Setup, { rounds, seconds, callers }: Effort): Promise<Figure[]> {
  const selling = async (many: number) => (await load(service.origin, many, seconds, seller(agent))).perSecond
  await selling(8)
  const administrator = await signIn(
    asker(() => service.origin),
    'admin@portolan.example',
  )
  const limit = async (amount: number | null) => {
    const body = { businessUnitUuid: agent.unitId, limit: amount, netted: true, reason: 'Benchmark' }
    const set = await administrator.ask('/api/administration/accounting/limit', { body })
    if (set.status !== 200) throw new Error(`no limit: ${set.text}`)
  }
  const figures: Figure[] = []
  for (const many of callers)
    figures.push(
      await compare(
        {
          work: `sales/s on account with the money book, ${many} callers`,
          against: 'the same without it',
          unit: '/s',
          target: '≥ 0.95',
          met: ratio => ratio >= 0.95,
          ours: () => selling(many),
          baseline: () => withoutBook(service, () => selling(many)),
        },
        rounds,
      ),
    )
  figures.push(
    await compare(
      {
        work: 'sales/s of 64 sellers of an agency with a credit limit',
        against: 'the same without a limit',
        unit: '/s',
        target: '≥ 0.9',
        met: ratio => ratio >= 0.9,
        async ours() {
          await limit(90_000_000)
          const perSecond = await selling(64)
          await limit(null)
          return perSecond
        },
        baseline: () => selling(64),
      },
      rounds,
    ),
  )
  return figures
}

/** Runs the work without the money book. The schema requires a booking for each payment, so its constraint is dropped and restored. */
async function withoutBook(service: Service, work: () => Promise<number>): Promise<number> {
  const [row] = await service.ask('sql', `select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'settled_is_booked'`)
  await service.ask('sql', 'alter table payments drop constraint settled_is_booked')
  const [writing] = await service.ask('sql', `select pg_get_functiondef('write_movement'::regproc) as text`)
  await service.ask('sql', withoutBooking(String(writing?.['text'])))
  const result = await work()
  await service.ask('sql', String(writing?.['text']))
  const constraint = String(row?.['text']).replace(' NOT VALID', '')
  await service.ask('sql', `alter table payments add constraint settled_is_booked ${constraint} not valid`)
  return result
}

/** The parts of the function that write the book. */
const parts = [/ {2}if account is not null[\s\S]*?\n {2}end if;\n/, / {2}if booking\.id is not null[\s\S]*?\n {2}end if;\n/]

const withoutBooking = (text: string): string =>
  parts.reduce((rest, part) => {
    if (!part.test(rest)) throw new Error(`write_movement has no ${part}`)
    return rest.replace(part, '')
  }, text)
