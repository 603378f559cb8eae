import { describe, expect, it } from 'vitest';
import { DIALECTS, type HookName } from '../../src/gate/dialects/index.ts';
import { blocksBefore } from '../../src/gate/blocks.ts';

const NAMES = Object.keys(DIALECTS) as HookName[];
const AGENTS = NAMES.filter((name) => name !== 'git');

const parse = (text: string | undefined): unknown => JSON.parse(text ?? 'null');

describe('a dialect', () => {
  it.each<[HookName, object, object]>([
    [
      'claude',
      { session_id: 's', cwd: '/w/sub', stop_hook_active: true, last_assistant_message: 'Done.' },
      { session: 's', cwd: '/w', calledFrom: '/w/sub', isContinued: true, said: 'Done.' },
    ],
    [
      'codex',
      { session_id: 's', cwd: '/w', stop_hook_active: false },
      { session: 's', cwd: '/w', isContinued: false },
    ],
    ['gemini', { session_id: 's', cwd: '/w', prompt_response: 'Done.' }, { session: 's', said: 'Done.' }],
    ['opencode', { session_id: 's', cwd: '/w', stop_hook_active: true }, { session: 's', isContinued: true }],
    [
      'cursor',
      { conversation_id: 'c', workspace_roots: ['/w'], loop_count: 2, status: 'completed' },
      { session: 'c', cwd: '/w', isContinued: true, isInterrupted: false },
    ],
    [
      'cursor',
      { conversation_id: 'c', workspace_roots: [], loop_count: 0, status: 'aborted' },
      { isInterrupted: true },
    ],
  ])('%s reads session, folder and whether a block came before', (name, payload, call) => {
    const env = name === 'claude' ? { CLAUDE_PROJECT_DIR: '/w' } : {};
    expect(DIALECTS[name].read(JSON.stringify(payload), env)).toMatchObject(call);
  });

  it.each(AGENTS)(
    '%s says what is wrong with a garbled payload, and takes no field of a wrong type',
    (name) => {
      const { read } = DIALECTS[name];
      expect(() => read('', {})).toThrow('it is empty');
      expect(() => read('{"session_id":', {})).toThrow('it is not JSON');
      expect(() => read('[1]', {})).toThrow('it is not a JSON object');
      const wrong = {
        session_id: 5,
        conversation_id: [],
        cwd: 'relative',
        stop_hook_active: 'yes',
        workspace_roots: 'x',
      };
      expect(read(JSON.stringify(wrong), {})).toEqual({
        session: undefined,
        cwd: undefined,
        isContinued: false,
        isInterrupted: false,
        said: '',
      });
    },
  );

  it.each<[HookName, object]>([
    ['claude', { decision: 'block', reason: 'red' }],
    ['codex', { decision: 'block', reason: 'red' }],
    ['gemini', { decision: 'deny', reason: 'red' }],
    ['opencode', { block: true, text: 'red' }],
    ['cursor', { followup_message: 'red' }],
  ])('%s is told to go on by one JSON line and exit code 0', (name, value) => {
    const { stdout, exitCode } = DIALECTS[name].blocked('red');
    expect(parse(stdout)).toEqual(value);
    expect(exitCode).toBe(0);
  });

  it.each(AGENTS)('%s is not held by an error of ralph, nor when it may stop', (name) => {
    const { failed, passed } = DIALECTS[name];
    for (const { stdout = 'null', exitCode } of [failed('no repository'), passed(), passed('note')]) {
      expect(exitCode).not.toBe(2);
      expect(parse(stdout)).not.toMatchObject({ decision: expect.anything() as unknown });
      expect(parse(stdout)).not.toMatchObject({ block: true });
    }
  });

  it('of git stops a commit by exit code 1, for red and for an error', () => {
    const { blocked, failed, passed } = DIALECTS.git;
    expect([blocked('x').exitCode, failed('x').exitCode, passed().exitCode]).toEqual([1, 1, 0]);
  });
});

describe('blocks in a row', () => {
  it('count while the agent goes on by itself, and begin anew with the next turn of its user', () => {
    expect(blocksBefore(4, true)).toBe(4);
    expect(blocksBefore(4, false)).toBe(0);
  });
});
