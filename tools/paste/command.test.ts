import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const command = (args: string[], input = '') => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve(import.meta.dirname, 'command.ts'), ...args], {
    encoding: 'utf8',
    input,
  })
  return { status, printed: stdout === '' ? undefined : JSON.parse(stdout), stderr }
}

const reservation = [
  '1.GARCIA LOPEZ/MARIA MRS',
  'IB6253 Y 15JAN 5 MADJFK HK1  1205 1440',
  'IB6252 Y 22JAN 5 JFKMAD HK1  2050 1010+1',
  'SSR DOCS IB HK1 P/ESP/PAB123456/ESP/12MAR85/F/20NOV30/GARCIA LOPEZ/MARIA/P1',
  'TOTAL EUR 640.50',
].join('\n')

describe('npm run paste', () => {
  it('npm run paste prints what it recognises under the API’s names, and nothing else', () => {
    expect(command(['--today', '2026-11-20', '-'], reservation)).toEqual({
      status: 0,
      printed: {
        startDate: '2027-01-15',
        endDate: '2027-01-23',
        coverageScope: 'ES',
        travelers: 1,
        mainDestination: ['US'],
        priceTravel: 640.5,
        people: [
          {
            name: 'Maria',
            middleName: 'Garcia',
            lastName: 'Lopez',
            birthDate: '1985-03-12',
            documentKind: 'passport',
            docNumber: 'PAB123456',
          },
        ],
      },
      stderr: '',
    })
    expect(command(['-'], 'Nada que ver').printed).toEqual({})
  })

  it('npm run paste reads as of the given day and in the given language', () => {
    const note = 'Check-in: 3 March, check-out: 7 March'
    expect(command(['--today', '2027-04-01', '--locale', 'en-EN', '-'], note).printed).toEqual({
      startDate: '2028-03-03',
      endDate: '2028-03-07',
    })
  })

  it('npm run paste reads birth dates from the unit’s earliest one on', () => {
    const note = 'Titular: Ana Vega, fecha de nacimiento 04/05/1938'
    const person = { name: 'Ana', middleName: 'Vega' }
    expect(command(['-'], note).printed).toEqual({ people: [person] })
    expect(command(['--earliest-birth', '1930-01-01', '-'], note).printed).toEqual({ people: [{ ...person, birthDate: '1938-05-04' }] })
  })

  it('npm run paste names the doubtful facts if asked', () => {
    const note = 'Pasajero: Marcos Vidal Soto\nConfirmo Grecia, del 12 al 26 de junio de 2027'
    expect(command(['--today', '2026-11-20', '--doubtful', '-'], note).printed).toMatchObject({
      mainDestination: ['GR'],
      doubtful: ['mainDestination', 'people.0.name', 'people.0.middleName', 'people.0.lastName'],
    })
  })

  it('npm run paste measures the reader on samples', () => {
    const sample = '#### es-ES one\nSalida 03/08/2027\n----\nstartDate 2027-08-03\n'
    const { status, stdout } = spawnSync(process.execPath, [resolve(import.meta.dirname, 'command.ts'), '--samples', '-'], {
      encoding: 'utf8',
      input: sample,
    })
    expect([status, stdout.split('\n')[1]?.trim().split(/ +/)]).toEqual([0, ['es', 'one', ...'1 1 1 0 0 0 | 0 0 0 0 0 0'.split(' ')]])
  })

  it.each([
    [[], 'Usage'],
    [['one', 'two'], 'Usage'],
    [['--today', '2026-02-30', '-'], '2026-02-30'],
    [['--locale', 'de-DE', '-'], 'de-DE'],
    [['--earliest-birth', '1930', '-'], '1930'],
    [['--colour', '-'], '--colour'],
    [['/no/such/file'], '/no/such/file'],
  ])('npm run paste names the problem of %j', (args, message) => {
    const { status, printed, stderr } = command(args)
    expect([status, printed]).toEqual([1, undefined])
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('    at ')
  })
})
