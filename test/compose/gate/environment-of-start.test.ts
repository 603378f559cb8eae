import { describe, expect, it } from 'vitest';
import {
  decidingVariables,
  describeEnvironment,
  withEnvironmentOf,
} from '../../../src/compose/gate/environment-of-start.ts';

describe('the environment of a session', () => {
  it('is stored with what changes the checks, and without secrets', () => {
    const env = { PATH: '/bin', NODE_OPTIONS: '-r x', JEST_SHARD: '1', NODE_AUTH_TOKEN: 'x', HOME: '/h' };
    expect(decidingVariables(env)).toEqual({ PATH: '/bin', NODE_OPTIONS: '-r x', JEST_SHARD: '1' });
  });

  it.each([
    [{}, { HOME: '/h', NODE_OPTIONS: '-r x' }, { HOME: '/h' }],
    [{ NODE_OPTIONS: '-r y' }, { NODE_OPTIONS: '-r x' }, { NODE_OPTIONS: '-r y' }],
    [{ NODE_OPTIONS: '-r y' }, {}, { NODE_OPTIONS: '-r y' }],
    [{ PATH: '/bin:/usr' }, { PATH: '/planted:/usr:/bin' }, { PATH: '/bin:/usr:/planted' }],
    [{ PATH: '/gone-since:/usr' }, { PATH: '/usr:/bin' }, { PATH: '/usr:/bin' }],
    [undefined, { NODE_OPTIONS: '-r x' }, { NODE_OPTIONS: '-r x' }],
  ])('is that of the start: %j', (environment, env, expected) => {
    expect(withEnvironmentOf({ ...(environment && { environment }) }, env)).toEqual(expected);
  });

  it('is told where it is another one now, but for what differs between any two terminals', () => {
    const started = { hooks: [], environment: { PATH: '/bin', NODE_PATH: '/lib' } };
    expect(describeEnvironment(started, { PATH: '/usr/bin', NODE_PATH: '/lib', LANG: 'C' })).toEqual([]);
    expect(describeEnvironment(started, { NODE_OPTIONS: '-r x' })).toEqual([
      expect.stringMatching(/^NODE_PATH and NODE_OPTIONS are not as at the start/),
    ]);
    expect(describeEnvironment({ hooks: [] }, { NODE_OPTIONS: '-r x', NODE_ENV: 'test' })).toEqual([
      expect.stringMatching(/^NODE_OPTIONS of the environment counted/),
    ]);
  });
});
