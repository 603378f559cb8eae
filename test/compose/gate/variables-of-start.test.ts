import { describe, expect, it } from 'vitest';
import {
  describeVariables,
  settingVariables,
  withVariablesOf,
} from '../../../src/compose/gate/variables-of-start.ts';

describe('the settings in the environment of a session', () => {
  it('are those that a flag could set, and no other variables of ralph', () => {
    const env = { PATH: '/bin', RALPH_ALLOW: 'x', RALPH_CHECK_TIMEOUT: '5', RALPH_DEBUG: '1', RALPH_X: '1' };
    expect(settingVariables(env)).toEqual({ RALPH_ALLOW: 'x', RALPH_CHECK_TIMEOUT: '5' });
    expect(settingVariables({ PATH: '/bin' })).toEqual({});
  });

  it.each([
    [{}, { PATH: '/bin', RALPH_ALLOW: '**' }, { PATH: '/bin' }],
    [{ RALPH_ALLOW: 'a' }, { RALPH_ALLOW: '**', RALPH_SKIP: 'tests' }, { RALPH_ALLOW: 'a' }],
    [undefined, { RALPH_ALLOW: '**' }, { RALPH_ALLOW: '**' }],
  ])('are those of the start: %j', (variables, env, expected) => {
    expect(withVariablesOf({ ...(variables && { variables }) }, env)).toEqual(expected);
  });

  it('are told to the user if they are others now, or if nobody knows who set them', () => {
    const started = { hooks: [], variables: { RALPH_ALLOW: 'a' } };
    expect(describeVariables(started, { RALPH_ALLOW: 'a' })).toEqual([]);
    expect(describeVariables(started, { RALPH_ALLOW: 'b', RALPH_SKIP: 'tests' })).toEqual([
      expect.stringMatching(/^RALPH_ALLOW and RALPH_SKIP are not as at the start/),
    ]);
    expect(describeVariables(started, {})).toEqual([
      expect.stringMatching(/^RALPH_ALLOW is not as at the start/),
    ]);
    expect(describeVariables({ variables: started.variables }, { RALPH_ALLOW: 'a' })).toEqual([
      'Settings of the environment count: RALPH_ALLOW.',
    ]);
  });
});
