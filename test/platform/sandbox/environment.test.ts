import { describe, expect, it } from 'vitest';
import { confinedEnvironment } from '../../../src/platform/sandbox/environment.ts';

const CLOSED = { network: false, passEnv: [] };
const INHERITED = {
  PATH: '/usr/bin',
  LC_CTYPE: 'C.UTF-8',
  DATABASE_URL: 'postgres://user:password@host/db',
  SSH_AUTH_SOCK: '/run/agent',
  HTTPS_PROXY: 'http://user:password@proxy',
};

describe('the environment of a confined program', () => {
  it('has of what is inherited only what is known to hold no secret', () => {
    expect(confinedEnvironment(INHERITED, CLOSED, INHERITED)).toEqual({
      PATH: '/usr/bin',
      LC_CTYPE: 'C.UTF-8',
    });
  });

  it('has everything that was set for the program itself', () => {
    const env = { ...INHERITED, DATABASE_URL: 'sqlite::memory:', RALPH_ITERATION: '2' };
    expect(confinedEnvironment(env, CLOSED, INHERITED)).toMatchObject({
      DATABASE_URL: 'sqlite::memory:',
      RALPH_ITERATION: '2',
    });
  });

  it('has the variables that the user names', () => {
    const rules = { ...CLOSED, passEnv: ['DATABASE_URL'] };
    expect(confinedEnvironment(INHERITED, rules, INHERITED)).toHaveProperty(
      'DATABASE_URL',
      INHERITED.DATABASE_URL,
    );
  });

  it('has the proxy only together with the network', () => {
    expect(confinedEnvironment(INHERITED, { network: true, passEnv: [] }, INHERITED)).toHaveProperty(
      'HTTPS_PROXY',
    );
    expect(confinedEnvironment(INHERITED, CLOSED, INHERITED)).not.toHaveProperty('HTTPS_PROXY');
  });
});
