import type { World } from '#server/kit/app-context.ts'

const day = 86_400_000

/** Deletes expired rows. Sign-in leftovers go after a day, replies after 2, jobs and sessions after 30, others after 400. */
export async function purge(world: World): Promise<void> {
  const ago = (days: number) => new Date(world.realTime.now().getTime() - days * day)
  await world.database.asService(async tx => {
    await tx.deleteFrom('sign_in_failures').where('at', '<', ago(1)).execute()
    await tx.deleteFrom('wrong_codes').where('at', '<', ago(1)).execute()
    await tx.deleteFrom('known_devices').where('used_at', '<', ago(400)).execute()
    await tx.deleteFrom('audit_repeats').where('hour', '<', ago(400)).execute()
    await tx.deleteFrom('one_time_tokens').where('expires_at', '<', ago(1)).execute()
    await tx
      .deleteFrom('sessions')
      .where('last_seen_at', '<', ago(world.config.SESSION_DAYS + 30))
      .execute()
    await tx.deleteFrom('idempotency').where('claimed_at', '<', ago(2)).execute()
    await tx.deleteFrom('jobs').where('state', '=', 'done').where('finished_at', '<', ago(30)).execute()
  })
}
