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
  it('contains only those inherited variables that never hold secrets', () => {
    expect(confinedEnvironment(INHERITED, CLOSED, INHERITED)).toEqual({
      PATH: '/usr/bin',
      LC_CTYPE: 'C.UTF-8',
    });
  });

  it('contains all variables that were set for the program', () => {
    const env = { ...INHERITED, DATABASE_URL: 'sqlite::memory:', RALPH_ITERATION: '2' };
    expect(confinedEnvironment(env, CLOSED, INHERITED)).toMatchObject({
      DATABASE_URL: 'sqlite::memory:',
      RALPH_ITERATION: '2',
    });
  });

  it('contains the variables that the user names', () => {
    const rules = { ...CLOSED, passEnv: ['DATABASE_URL'] };
    expect(confinedEnvironment(INHERITED, rules, INHERITED)).toHaveProperty(
      'DATABASE_URL',
      INHERITED.DATABASE_URL,
    );
  });

  it('contains the proxy only if the network is allowed', () => {
    expect(confinedEnvironment(INHERITED, { network: true, passEnv: [] }, INHERITED)).toHaveProperty(
      'HTTPS_PROXY',
    );
    expect(confinedEnvironment(INHERITED, CLOSED, INHERITED)).not.toHaveProperty('HTTPS_PROXY');
  });

  it('contains nothing of the desktop, but all else, where it is the whole one', () => {
    const desktop = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'SSH_AUTH_SOCK', 'DBUS_SESSION_BUS_ADDRESS'];
    const env = { ...INHERITED, ...Object.fromEntries(desktop.map((name) => [name, 'x'])) };
    const { SSH_AUTH_SOCK: _, ...others } = INHERITED;
    const rules = { ...CLOSED, wholeEnvironment: true };
    expect(confinedEnvironment(env, rules, env)).toEqual(others);
    expect(confinedEnvironment(env, { ...rules, passEnv: ['DISPLAY'] }, env)).toHaveProperty('DISPLAY');
    expect(confinedEnvironment(env, CLOSED, env)).not.toHaveProperty('DISPLAY');
  });
});
