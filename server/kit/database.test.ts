import pg from 'pg'
import { expect, test } from 'vitest'
import { databaseOf } from './database.ts'

test('a connection that dies in the hands of whoever has it does not end the process', async () => {
  const pool = new pg.Pool()
  databaseOf(pool, false, () => pool.end())
  const client = new pg.Client()
  pool.emit('connect', client)
  expect(() => client.emit('error', new Error('terminating connection'))).not.toThrow()
  await pool.end()
})
