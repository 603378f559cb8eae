import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loggedTokens } from '../../../src/agents/acp/session-log.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const ID = 'dde8c835-8255-402f-a954-9c944330fd21';
const PATH = '.gemini/tmp/repository/chats/session-2026-11-25T18-43-dde8c835.jsonl';

function homeWith(...records: readonly (object | string)[]): { GEMINI_CLI_HOME: string } {
  const home = temporaryFolder();
  const lines = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)));
  writeFiles(home, { [PATH]: `${lines.join('\n')}\n` });
  return { GEMINI_CLI_HOME: home };
}

const FIRST = {
  id: '1',
  type: 'gemini',
  tokens: { input: 900, output: 20, cached: 300, thoughts: 5, tool: 0 },
};
const SECOND = {
  id: '2',
  type: 'gemini',
  tokens: { input: 1200, output: 10, cached: 800, thoughts: 0, tool: 7 },
};

describe('loggedTokens', () => {
  it('adds the tokens of every model call, and counts a message that is written twice once', () => {
    const env = homeWith(
      { sessionId: ID },
      FIRST,
      { $set: { messages: [FIRST] } },
      SECOND,
      SECOND,
      '{"id":"3"',
    );
    expect(loggedTokens(ID, env)).toEqual({ input: 2107, output: 35, cached: 1100 });
  });

  it.each([
    ['another session whose id begins alike', [{ sessionId: 'dde8c835-0' }, FIRST]],
    ['a session without model calls', [{ sessionId: ID }, { id: '1', type: 'user' }]],
    ['what is no session', ['garbled']],
  ])('is undefined for %s', (_, records) => {
    expect(loggedTokens(ID, homeWith(...records))).toBeUndefined();
  });

  it('is undefined where no file is kept', () => {
    expect(loggedTokens(ID, { GEMINI_CLI_HOME: join(temporaryFolder(), 'none') })).toBeUndefined();
  });
});
