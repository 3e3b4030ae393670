import type { Database } from '#server/kit/database.ts'

/** The demo's insurer, agencies and users; a second time changes nothing. */
export async function seedDemo(_database: Database): Promise<void> {}
