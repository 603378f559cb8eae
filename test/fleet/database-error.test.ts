import { describe, expect, it } from 'vitest';
import { RalphError } from '../../src/errors.ts';
import { findAddress } from '../../src/fleet/database/address.ts';
import { databaseError, isOfDatabase, isPassing } from '../../src/fleet/database/database-error.ts';

function serverError(code: string): Error {
  return Object.assign(new Error('could not extend file'), { code, severity: 'ERROR' });
}

describe('an error of the database', () => {
  it.each([
    ['a full disk', serverError('53100'), true, true],
    ['a crash', serverError('57P02'), true, true],
    ['no server', Object.assign(new Error(''), { code: 'ECONNREFUSED' }), true, true],
    ['a deadlock', serverError('40P01'), true, true],
    ['a missing right', serverError('42501'), true, false],
    ['a fault of ours', new TypeError('x is not a function'), false, false],
    [
      'a code that is no SQLSTATE',
      Object.assign(new Error(''), { code: 'ERR_INVALID_ARG_TYPE' }),
      false,
      false,
    ],
    ['a usage error', new RalphError('no', { code: 'usage', exitCode: 2 }), false, false],
  ] as const)('is known: %s', (_, error, isOne, mayPass) => {
    expect(isOfDatabase(error)).toBe(isOne);
    expect(isPassing(error)).toBe(mayPass);
  });

  it.each([
    ['mysql://a:b@c/d', 'it begins with mysql://'],
    ['postgres://a:b@c:99999/d', 'its port is not from 1 to 65535'],
    ['postgres://a:p#w@c:5432/d', 'such as %23 for #'],
    ['not an address', 'it does not begin with postgres://'],
  ])('does not need a server: DATABASE_URL=%s', (url, problem) => {
    expect(() => findAddress({ DATABASE_URL: url })).toThrow(problem);
  });

  it('has the remedy for a server without TLS', () => {
    const error = new Error('The server does not support SSL connections');
    expect(databaseError(error, 'db:5432/ralph')).toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining('sslmode') as string,
    });
  });

  it('has the remedy', () => {
    expect(databaseError(serverError('53100'), 'db:5432/ralph')).toMatchObject({
      message: 'PostgreSQL at db:5432/ralph has no room: could not extend file',
      hint: 'Free space on the server; nothing that was acknowledged is lost.',
    });
  });
});
