import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ExitCode } from '../../../src/errors.ts';
import type { WorkEvent } from '../../../src/events.ts';
import type { ClientSettings } from '../../../src/agents/llm/client-settings.ts';
import { createModelClient } from '../../../src/agents/llm/create-client.ts';
import { ModelHealth } from '../../../src/agents/llm/model-health.ts';
import { Ledger } from '../../../src/agents/llm/ledger.ts';
import { openRecording } from '../../../src/agents/llm/player.ts';
import { createRecorder } from '../../../src/agents/llm/recording.ts';
import type { WireReply, WireServer } from '../../support/wire/index.ts';
import { serve } from '../../support/wire/serve.ts';
import { clientAt, hold, settingsAt, TALK } from './client-at.ts';
import { temporaryFolder } from './recorded.ts';

const TRIES = 4;

/** A server with one reply for each model. */
function serveModels(rules: Readonly<Record<string, WireReply>>): Promise<WireServer> {
  return serve(({ model }) => rules[model] ?? { fault: { kind: 'status', status: 404 } });
}

const FINE: WireReply = { text: 'Fine.' };
const DOWN: WireReply = { fault: { kind: 'status', status: 503 } };
const NO_KEY: WireReply = { fault: { kind: 'status', status: 401 } };
const REFUSAL: WireReply = { text: 'I cannot help with that.', finish: 'refusal' };

function named(...names: readonly string[]) {
  return { names: names.map((name) => `openai-compatible/${name}`) };
}

function modelsCalled(server: WireServer): string[] {
  return server.requests.map(({ model }) => model);
}

function ofType<T extends WorkEvent['type']>(events: readonly WorkEvent[], type: T) {
  return events.filter((event): event is Extract<WorkEvent, { type: T }> => event.type === type);
}

describe('fallback models', () => {
  it('are called in order until one answers', async () => {
    const server = await serveModels({ one: NO_KEY, two: NO_KEY, three: FINE, four: FINE });
    const { reply, events } = await hold(
      clientAt(server, 'openai-chat', named('one', 'two', 'three', 'four')),
    );
    expect(reply).toMatchObject({ ending: 'stopped', text: 'Fine.' });
    expect(modelsCalled(server)).toEqual(['one', 'two', 'three']);
    expect(ofType(events, 'model_fallback')).toMatchObject([
      { from: 'openai-compatible/one', to: 'openai-compatible/two' },
      { from: 'openai-compatible/two', to: 'openai-compatible/three' },
    ]);
    expect(ofType(events, 'model_called').map(({ model }) => model)).toEqual(['openai-compatible/three']);
  });

  it('that failed are not called again in later conversations', async () => {
    const server = await serveModels({ one: DOWN, two: FINE });
    const client = clientAt(server, 'openai-chat', named('one', 'two'));
    await hold(client);
    await hold(client);
    expect(modelsCalled(server)).toEqual([...Array.from({ length: TRIES }, () => 'one'), 'two', 'two']);
  });

  it('end with the failure of the last one', async () => {
    const server = await serveModels({ one: DOWN, two: NO_KEY });
    const { reply } = await hold(clientAt(server, 'openai-chat', named('one', 'two')));
    expect(reply).toMatchObject({ ending: 'failed', steps: 0, failure: { kind: 'key', statusCode: 401 } });
    expect(reply.detail).toContain('openai-compatible/two');
  });

  it('end with the refusal of the last one and its words', async () => {
    const server = await serveModels({ one: REFUSAL, two: REFUSAL });
    const { reply } = await hold(clientAt(server, 'openai-chat', named('one', 'two')));
    expect(reply).toMatchObject({
      ending: 'refused',
      detail:
        'A filter ended the reply, or the model refused to answer. Its last text: I cannot help with that.',
      failure: { kind: 'refusal', permanent: false },
    });
    expect(modelsCalled(server)).toEqual(['one', 'two']);
  });

  it('are not called if the budget is exceeded', async () => {
    const server = await serveModels({ one: FINE, two: FINE });
    const budget = { maxTokens: 10 };
    const { reply, events } = await hold(clientAt(server, 'openai-chat', { ...named('one', 'two'), budget }));
    expect(reply.ending).toBe('budget');
    expect(server.requests).toHaveLength(0);
    expect(ofType(events, 'model_fallback')).toEqual([]);
  });

  it('continue the conversation at the call that failed', async () => {
    const server = await serve(({ model, number }) => {
      if (number === 0) return TALK[0]!;
      return model === 'one' ? NO_KEY : TALK[number - 1]!;
    });
    const { reply, notes } = await hold(clientAt(server, 'openai-chat', named('one', 'two')));
    expect(reply).toMatchObject({ ending: 'stopped', steps: 3 });
    expect(notes).toEqual(['one', 'two']);
    expect(modelsCalled(server)).toEqual(['one', 'one', 'two', 'two']);
  });

  it('reject with RalphError if a key is missing', async () => {
    const server = await serve([]);
    const settings = settingsAt(server, 'anthropic', { env: {} });
    await expect(hold(createModelClient(settings))).rejects.toMatchObject({
      name: 'RalphError',
      exitCode: ExitCode.actor,
      message: expect.stringContaining('ANTHROPIC_API_KEY') as string,
    });
  });
});

describe('the health of a model', () => {
  it('is shared: a permanent failure is not repeated by another client', async () => {
    const server = await serveModels({ one: NO_KEY });
    const health = new ModelHealth();
    await hold(clientAt(server, 'openai-chat', { ...named('one'), health }));
    const { reply } = await hold(
      clientAt(server, 'openai-chat', { ...named('one'), health, channel: 'reflector' }),
    );
    expect(reply).toMatchObject({ ending: 'failed', failure: { kind: 'key', permanent: true } });
    expect(server.requests).toHaveLength(1);
  });

  it('is shared: after a transient failure, another client tries once', async () => {
    const server = await serveModels({ one: DOWN });
    const health = new ModelHealth();
    await hold(clientAt(server, 'openai-chat', { ...named('one'), health }));
    await hold(clientAt(server, 'openai-chat', { ...named('one'), health, channel: 'reflector' }));
    expect(server.requests).toHaveLength(TRIES + 1);
  });

  /** Asks only if no model has failed another client. */
  async function reflect(server: WireServer, settings: Partial<ClientSettings>) {
    const events: WorkEvent[] = [];
    const reply = await clientAt(server, 'openai-chat', { ...settings, channel: 'reflector' }).converse({
      system: '',
      prompt: 'Reflect.',
      maxSteps: 1,
      onlyIfHealthy: true,
      signal: new AbortController().signal,
      onWork: (event) => events.push(event),
    });
    return { reply, fallbacks: ofType(events, 'model_fallback').length };
  }

  it.each([
    ['refused', REFUSAL, { ending: 'stopped', fallbacks: 0, models: ['one', 'two', 'one'] }],
    ['failed', NO_KEY, { ending: 'stopped', fallbacks: 1, models: ['one', 'two', 'two'] }],
  ] as const)('is shared: a model that %s a request of the actor', async (_what, first, expected) => {
    let asked = 0;
    const server = await serve(({ model }) => (model === 'one' && asked++ === 0 ? first : FINE));
    const settings = { ...named('one', 'two'), health: new ModelHealth() };
    await hold(clientAt(server, 'openai-chat', settings));
    const { reply, fallbacks } = await reflect(server, settings);
    expect({ ending: reply.ending, fallbacks, models: modelsCalled(server) }).toEqual(expected);
  });

  it('of the only model is not that of a failed one after a refusal', async () => {
    const server = await serveModels({ one: REFUSAL });
    const settings = { ...named('one'), health: new ModelHealth() };
    await hold(clientAt(server, 'openai-chat', settings));
    const { reply } = await reflect(server, settings);
    expect(reply).toMatchObject({ ending: 'refused', failure: { kind: 'refusal' } });
    expect(modelsCalled(server)).toEqual(['one', 'one']);
  });

  it('is not shared by clients with separate records', async () => {
    const server = await serveModels({ one: NO_KEY });
    await hold(clientAt(server, 'openai-chat', named('one')));
    await hold(clientAt(server, 'openai-chat', named('one')));
    expect(server.requests).toHaveLength(2);
  });

  it('is kept by a call that the budget did not allow', async () => {
    const server = await serveModels({ one: DOWN });
    const health = new ModelHealth();
    await hold(clientAt(server, 'openai-chat', { ...named('one'), health }));
    await hold(clientAt(server, 'openai-chat', { ...named('one'), health, budget: { maxTokens: 1 } }));
    expect(health.triesOf('openai-compatible/one')).toBe(1);
  });
});

describe('a recorded conversation', () => {
  it('is replayed without a server and without a cost', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    const server = await serve(TALK);
    const prices = { 'openai-compatible/wire-model': { input: 1, output: 1 } };
    const first = await hold(
      clientAt(server, 'openai-chat', { prices, recorders: [createRecorder(path, () => 0)] }),
    );
    await server.close();
    const ledger = new Ledger({ maxCostUsd: 0 });
    const second = await hold(clientAt(server, 'openai-chat', { player: openRecording(path), ledger }));
    expect(second.notes).toEqual(first.notes);
    expect(second.reply).toEqual({ ...first.reply, usage: { ...first.reply.usage, cost_usd: 0 } });
    expect(first.reply.usage.cost_usd).toBeGreaterThan(0);
    expect(ledger.spent).toEqual(second.reply.usage);
    expect(ofType(second.events, 'warning')).toEqual([]);
    const other = { ...named('other'), player: openRecording(path) };
    const { events } = await hold(clientAt(server, 'openai-chat', other));
    expect(ofType(events, 'warning').map(({ text }) => text)).toEqual([
      `Some recorded replies in ${path} are those of openai-compatible/wire-model; this run asks for openai-compatible/other.`,
    ]);
  });

  it('with a fallback warns of the fallback only, if the replay names the first model alone', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    const server = await serve(({ model, number }) =>
      model === 'one' && number > 0 ? NO_KEY : TALK[Math.min(number, 2)]!,
    );
    const recorders = [createRecorder(path, () => 0)];
    await hold(clientAt(server, 'openai-chat', { ...named('one', 'two'), recorders }));
    const replay = async (...names: string[]) => {
      const { events } = await hold(
        clientAt(server, 'openai-chat', { ...named(...names), player: openRecording(path) }),
      );
      return ofType(events, 'warning').map(({ text }) => text);
    };
    expect(await replay('one')).toEqual([
      `Some recorded replies in ${path} are those of openai-compatible/two; this run asks for openai-compatible/one.`,
    ]);
    expect(await replay('one', 'two')).toEqual([]);
  });

  it('warns about a different request in a replay, and fails after the last call', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    const server = await serve([{ text: 'One.' }]);
    const { signal } = new AbortController();
    const conversation = { system: 's', maxSteps: 3, signal };
    const recorders = [createRecorder(path, () => 0)];
    await clientAt(server, 'openai-chat', { recorders }).converse({
      ...conversation,
      prompt: 'a',
      onWork: () => {},
    });
    const events: WorkEvent[] = [];
    const client = clientAt(server, 'openai-chat', { player: openRecording(path) });
    const onWork = (event: WorkEvent): void => void events.push(event);
    expect(await client.converse({ ...conversation, prompt: 'b', onWork })).toMatchObject({
      ending: 'stopped',
      text: 'One.',
    });
    expect(ofType(events, 'warning')[0]?.text).toMatch(
      /^The replay leaves the recorded path: .* in message \d+ \(user\) at line 1: recorded "/,
    );
    expect(await client.converse({ ...conversation, prompt: 'a', onWork })).toMatchObject({
      ending: 'failed',
      failure: { kind: 'recording', permanent: true },
      detail: `${path} has 1 call of the actor, and the loop needs one more.`,
    });
  });

  it('continues after an interruption without repeating answered calls', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    const server = await serve(TALK);
    const recorders = [createRecorder(path, () => 0)];
    const tools = 2;
    const { signal } = new AbortController();
    const first = clientAt(server, 'openai-chat', { recorders });
    await hold(
      { name: first.name, converse: (talk) => first.converse({ ...talk, maxSteps: tools }) },
      signal,
    );
    expect(server.requests).toHaveLength(2);
    const second = await hold(
      clientAt(server, 'openai-chat', { answeredBefore: openRecording(path), recorders }),
    );
    expect(second.reply).toMatchObject({ ending: 'stopped', text: 'That is all.', steps: 3 });
    expect(second.notes).toEqual(['one', 'two']);
    expect(server.requests).toHaveLength(3);
    expect(openRecording(path).count('actor')).toBe(3);
  });

  it('is repeated from the first reply with a redacted secret', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    const secret = `sk-ant-api03-${'a1B2'.repeat(6)}`;
    const secretive: WireReply = { toolCalls: [{ name: 'note', input: { text: secret } }] };
    const talk = [TALK[0]!, secretive, TALK[2]!];
    const server = await serve([...talk, ...talk.slice(1)]);
    const first = await hold(clientAt(server, 'openai-chat', { recorders: [createRecorder(path, () => 0)] }));
    const second = await hold(clientAt(server, 'openai-chat', { answeredBefore: openRecording(path) }));
    expect(first.notes).toEqual(['one', secret]);
    expect(second.notes).toEqual(['one', secret]);
    expect(server.requests).toHaveLength(5);
  });
});
