import { describe, expect, it } from 'vitest';
import { countChangedLines } from '../../../src/agents/acp/line-counts.ts';
import { readSignIns } from '../../../src/agents/acp/sign-in.ts';
import { TailText } from '../../../src/agents/acp/tail-text.ts';
import { readToolCall } from '../../../src/agents/acp/tool-call.ts';
import { takeTurnUsage, takeUpdate } from '../../../src/agents/acp/updates.ts';
import { createUsageMeter } from '../../../src/agents/acp/usage-meter.ts';
import { WorkLog } from '../../../src/agents/acp/work-log.ts';
import { createScope } from '../../../src/agents/acp/workspace-scope.ts';
import { workspace } from '../../support/acp/attempt.ts';

const ODD_VALUES = [
  undefined,
  null,
  0,
  'text',
  [],
  [null],
  {},
  { update: null },
  { update: { sessionUpdate: 7 } },
];

describe('counting changed lines', () => {
  it.each([
    ['a\nb\nc\n', 'a\nB\nc\n', 1, 1],
    ['', 'a\nb\n', 2, 0],
    ['a\nb\n', '', 0, 2],
    ['same', 'same', 0, 0],
    ['a\nb\nc\nd\n', 'a\nc\nx\nd\n', 1, 1],
    ['a\na\n', 'a\na\na\n', 1, 0],
  ])('of %j to %j gives %i and %i', (before, after, additions, deletions) => {
    expect(countChangedLines(before, after)).toEqual({ additions, deletions });
  });
});

describe('the tail of an output', () => {
  it('keeps whole characters and says that something is gone', () => {
    const tail = new TailText(5);
    tail.append('ab');
    expect([tail.toString(), tail.isTruncated]).toEqual(['ab', false]);
    tail.append('€€€');
    expect([tail.toString(), tail.isTruncated]).toEqual(['€', true]);
  });

  it('keeps nothing where nothing may be kept', () => {
    const tail = new TailText(0);
    tail.append('x');
    expect([tail.toString(), tail.isTruncated]).toEqual(['', true]);
  });
});

describe('what is used', () => {
  const usageOf = (response: unknown): unknown => {
    const meter = createUsageMeter();
    takeTurnUsage(response, meter);
    return meter.usage();
  };

  it.each([
    [{ usage: { totalTokens: 130, inputTokens: 20, outputTokens: 10, cachedReadTokens: 100 } }, 120, 10, 100],
    [
      { usage: { totalTokens: 130, inputTokens: 120, outputTokens: 10, cachedReadTokens: 100 } },
      120,
      10,
      100,
    ],
    [{ usage: { inputTokens: 5, outputTokens: 6, cachedReadTokens: null } }, 5, 6, 0],
    [{ _meta: { quota: { token_count: { input_tokens: 7, output_tokens: 8 } } } }, 7, 8, 0],
    [{ _meta: { usage: { inputTokens: 1, outputTokens: 2 } } }, 1, 2, 0],
  ])('is read from %j', (response, input, output, cached) => {
    expect(usageOf(response)).toEqual({
      input_tokens: input,
      output_tokens: output,
      cached_input_tokens: cached,
      cost_usd: null,
    });
  });

  it.each(ODD_VALUES)('is nothing in %j', (response) => {
    expect(usageOf(response)).toMatchObject({ input_tokens: 0, cost_usd: 0 });
  });

  it('is the sum of the calls where no total is told, and the total where one is', () => {
    const meter = createUsageMeter();
    meter.addCall({ input: 10, output: 1, cached: 5 });
    meter.addCall({ input: 20, output: 2, cached: 5 });
    meter.addCost(0.1);
    meter.addCost(0.2);
    expect(meter.usage().input_tokens).toBe(30);
    expect(meter.usage().cost_usd).toBeCloseTo(0.3, 12);
    meter.setTotal({ input: 29, output: 3, cached: 9 });
    meter.setCost(0.5);
    expect(meter.usage()).toMatchObject({ input_tokens: 29, cost_usd: 0.5 });
  });
});

describe('updates of an agent', () => {
  const logOf = (): WorkLog => {
    const root = workspace();
    const scope = createScope({ root, cwd: root, repository: root });
    return new WorkLog('test', scope, { onProgress: () => {}, onWork: () => {} });
  };

  it.each(ODD_VALUES)('do nothing where they are %j', (params) => {
    const log = logOf();
    takeUpdate(params, { log, meter: createUsageMeter(), onProgress: () => {} });
    for (const sessionUpdate of ['tool_call', 'plan', 'usage_update', 'agent_message_chunk']) {
      const update = { sessionUpdate, toolCallId: params, content: params, entries: params, cost: params };
      takeUpdate({ update }, { log, meter: createUsageMeter(), onProgress: () => {} });
    }
    log.close();
    expect(log.lastWords).toBe('');
  });

  it('keep the words of one message together and those of two apart', () => {
    const log = logOf();
    for (const [messageId, text] of [
      ['a', 'One '],
      ['a', 'two.'],
      ['b', 'Three '],
      ['b', 'four.'],
    ]) {
      const update = { sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } };
      takeUpdate({ update }, { log, meter: createUsageMeter(), onProgress: () => {} });
    }
    expect(log.words).toBe('One two.\nThree four.');
    expect(log.lastWords).toBe('Three four.');
  });

  it('of money in another currency are no dollars', () => {
    const meter = createUsageMeter();
    const update = { sessionUpdate: 'usage_update', cost: { amount: 5, currency: 'EUR' } };
    takeUpdate({ update }, { log: logOf(), meter, onProgress: () => {} });
    expect(meter.usage().cost_usd).toBe(0);
  });

  it('tell of calls that were never finished', () => {
    const log = logOf();
    log.hears({ toolCallId: 'a', title: 'Remove', kind: 'delete', locations: [{ path: 'src/sum.js' }] });
    log.close();
    expect(log.actions).toEqual([
      { type: 'file_deletion', description: 'Remove, not finished', file_path: 'src/sum.js' },
    ]);
  });
});

describe('a tool call', () => {
  it('is put together from its first telling and what follows', () => {
    const first = readToolCall({
      toolCallId: 'a',
      title: 'Edit',
      kind: 'edit',
      rawInput: { file_path: '/w/a.js' },
    });
    const content = [{ type: 'diff', path: '/w/b.js', oldText: null, newText: 'x' }, { type: 'content' }, 4];
    expect(readToolCall({ toolCallId: 'a', status: 'completed', title: null, content }, first)).toEqual({
      id: 'a',
      title: 'Edit',
      kind: 'edit',
      status: 'completed',
      paths: ['/w/a.js', '/w/b.js'],
      diffs: [{ path: '/w/b.js', before: undefined, after: 'x' }],
      command: '',
    });
  });
});

describe('ways to sign in', () => {
  it('are silent where they take a key that is there', () => {
    const methods = [
      { id: 'gemini-api-key', name: 'Key' },
      { id: 'oauth', name: 'Browser' },
      {
        id: 'openai',
        name: 'OpenAI',
        description: 'Requires setting the `OPENAI_API_KEY` environment variable',
      },
      { id: 'vars', type: 'env_var', vars: [{ name: 'MY_KEY' }] },
      { id: 'login', type: 'terminal', description: 'MY_KEY' },
      'odd',
    ];
    const silentWith = (env: Record<string, string>): string[] =>
      readSignIns(methods, env).flatMap(({ id, isSilent }) => (isSilent ? [id] : []));
    expect(silentWith({ GEMINI_API_KEY: 'k', MY_KEY: 'k' })).toEqual(['gemini-api-key', 'vars']);
    expect(silentWith({ OPENAI_API_KEY: 'k' })).toEqual(['openai']);
    expect(silentWith({ OPENAI_API_KEY: '' })).toEqual([]);
  });
});
