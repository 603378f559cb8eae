import { describe, expect, it } from 'vitest';
import { readSignIns } from '../../../src/agents/acp/sign-in.ts';
import { TailText } from '../../../src/agents/acp/tail-text.ts';
import { readToolCall } from '../../../src/agents/acp/tool-call.ts';
import { applyTurnUsage, applyUpdate } from '../../../src/agents/acp/updates.ts';
import { createUsageMeter } from '../../../src/agents/acp/usage-meter.ts';
import { ActionLog } from '../../../src/agents/acp/action-log.ts';
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

describe('TailText', () => {
  it('keeps whole characters and reports the truncation', () => {
    const tail = new TailText(5);
    tail.append('ab');
    expect([tail.toString(), tail.isTruncated]).toEqual(['ab', false]);
    tail.append('€€€');
    expect([tail.toString(), tail.isTruncated]).toEqual(['€', true]);
  });

  it('keeps nothing with the limit 0', () => {
    const tail = new TailText(0);
    tail.append('x');
    expect([tail.toString(), tail.isTruncated]).toEqual(['', true]);
  });
});

describe('the usage of an agent', () => {
  const usageOf = (response: unknown): unknown => {
    const meter = createUsageMeter();
    applyTurnUsage(response, meter);
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

  it.each(ODD_VALUES)('is zero for %j', (response) => {
    expect(usageOf(response)).toMatchObject({ input_tokens: 0, cost_usd: 0 });
  });

  it.each([undefined, 0])(
    'has no known cost if an agent worked and reported no tokens and a cost of %s',
    (cost) => {
      const meter = createUsageMeter();
      if (cost !== undefined) meter.setCost(cost);
      expect(meter.usage(undefined, true)).toMatchObject({ input_tokens: 0, cost_usd: null });
      expect(meter.usage({ input: 1, output: 1 }, true).cost_usd).toBeNull();
      meter.setCost(0.5);
      expect(meter.usage(undefined, true).cost_usd).toBe(0.5);
    },
  );

  it('is the sum of the calls, or the total if one is reported', () => {
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
  const logOf = (): ActionLog => {
    const root = workspace();
    const scope = createScope({ root, cwd: root, repository: root });
    return new ActionLog('test', scope, { onProgress: () => {}, onWork: () => {} });
  };

  it.each(ODD_VALUES)('are ignored if they are %j', (params) => {
    const log = logOf();
    applyUpdate(params, { log, meter: createUsageMeter(), onProgress: () => {} });
    for (const sessionUpdate of ['tool_call', 'plan', 'usage_update', 'agent_message_chunk']) {
      const update = { sessionUpdate, toolCallId: params, content: params, entries: params, cost: params };
      applyUpdate({ update }, { log, meter: createUsageMeter(), onProgress: () => {} });
    }
    log.close();
    expect(log.lastMessage).toBe('');
  });

  it('are joined within a message and separated between messages', () => {
    const log = logOf();
    for (const [messageId, text] of [
      ['a', 'One '],
      ['a', 'two.'],
      ['b', 'Three '],
      ['b', 'four.'],
    ]) {
      const update = { sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } };
      applyUpdate({ update }, { log, meter: createUsageMeter(), onProgress: () => {} });
    }
    expect(log.text).toBe('One two.\nThree four.');
    expect(log.lastMessage).toBe('Three four.');
  });

  it('with a cost in another currency are ignored', () => {
    const meter = createUsageMeter();
    const update = { sessionUpdate: 'usage_update', cost: { amount: 5, currency: 'EUR' } };
    applyUpdate({ update }, { log: logOf(), meter, onProgress: () => {} });
    expect(meter.usage().cost_usd).toBe(0);
  });

  it('add calls that were never finished as actions', () => {
    const log = logOf();
    log.updateCall({ toolCallId: 'a', title: 'Remove', kind: 'delete', locations: [{ path: 'src/sum.js' }] });
    log.close();
    expect(log.actions).toEqual([
      { type: 'file_deletion', description: 'Remove, not finished', file_path: 'src/sum.js' },
    ]);
  });
});

describe('a tool call', () => {
  it('is merged from its first update and later ones', () => {
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

describe('sign-in methods', () => {
  it('are silent if they read a key that is set', () => {
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
