import pg from 'pg'

/** Runs work on a connection of its own, such as creating or dropping a test's database. */
export async function inServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
