import pg from 'pg'
import { expect, test } from 'vitest'
import { databaseOf, openDatabase, within } from './database.ts'
import { scopeOf } from '#server/session/scope.ts'
import { testDatabase } from './testing.ts'

test('a connection that dies while in use does not end the process', async () => {
  const pool = new pg.Pool()
  databaseOf(pool, false, () => pool.end())
  const client = new pg.Client()
  pool.emit('connect', client)
  expect(() => client.emit('error', new Error('terminating connection'))).not.toThrow()
  await pool.end()
})

test('callbacks run after the commit, and never after a rollback', async () => {
  const database = await testDatabase()
  const calls: string[] = []
  const unit = scopeOf('8a0f6f57-6fa4-4b0d-9b55-ec6a9f3bd001')
  await database.asService(async whole => {
    const tx = within(whole, unit)
    tx.afterCommit(() => calls.push('done'))
    await tx.selectFrom('business_units').select('id').execute()
    expect(calls).toEqual([])
  })
  expect(calls).toEqual(['done'])
  const rolledBack = database.asService(tx => {
    within(tx, unit).afterCommit(() => calls.push('rolled back'))
    return Promise.reject(new Error('no'))
  })
  await expect(rolledBack).rejects.toThrow('no')
  expect(calls).toEqual(['done'])
  await database.close()
})

test('a callback for the commit of a transaction that this module did not open throws', async () => {
  const database = await testDatabase()
  const unit = scopeOf('8a0f6f57-6fa4-4b0d-9b55-ec6a9f3bd001')
  await database.kysely.transaction().execute(async foreign => {
    expect(() => within(foreign, unit).afterCommit(() => {})).toThrow('nothing runs after the commit')
  })
  await database.close()
})

test('statements on a server are pipelined', async () => {
  const database = await openDatabase({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATABASE_POOL: 1, DATA_DIR: '' })
  expect(database.pool.options).toMatchObject({ pipeline: true })
  await database.close()
})
