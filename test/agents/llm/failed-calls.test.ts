import { describe, expect, it } from 'vitest';
import type { WorkEvent } from '../../../src/events.ts';
import type { Reply } from '../../../src/agents/llm/client.ts';
import { ModelHealth } from '../../../src/agents/llm/model-health.ts';
import { promptOf, type WireReply, type WireServer } from '../../support/wire/index.ts';
import { serve } from '../../support/wire/serve.ts';
import { clientAt, FORMATS, hold, PROVIDER_OF } from './client-at.ts';

const REFUSED: WireReply = { text: '', finish: 'filter' };
const FINE: WireReply = { text: 'Fine.' };

function named(...names: readonly string[]) {
  return { names: names.map((name) => `openai-compatible/${name}`) };
}

function modelsCalled(server: WireServer): string[] {
  return server.requests.map(({ model }) => model);
}

describe.each(FORMATS)('a refusal, in %s', (format) => {
  const names = ['one', 'two'].map((name) => `${PROVIDER_OF[format]}/${name}`);

  it('is answered by the fallback model, with the reason in the event and the usage of both calls', async () => {
    const server = await serve(({ model }) => (model === 'one' ? REFUSED : FINE));
    const { reply, events } = await hold(clientAt(server, format, { names }));
    expect(reply).toMatchObject({ ending: 'stopped', text: 'Fine.', steps: 1 });
    expect(modelsCalled(server)).toEqual(['one', 'two']);
    const fallbacks = events.filter(({ type }) => type === 'model_fallback');
    expect(fallbacks).toMatchObject([{ reason: `${names[0]}: the model or its provider refused to answer` }]);
    const called = events.filter((event) => event.type === 'model_called');
    expect(called.map(({ usage }) => usage.input_tokens).reduce((a, b) => a + b)).toBe(
      reply.usage.input_tokens,
    );
  });

  // Gemini takes the text back.
  it.skipIf(format === 'gemini')(
    'in the middle of an answer is not told as if the answer were the refusal',
    async () => {
      const server = await serve([{ text: 'Here is the corrected function:', finish: 'filter' }]);
      const { reply } = await hold(clientAt(server, format, { names: names.slice(0, 1) }));
      expect(reply).toMatchObject({
        ending: 'refused',
        text: 'Here is the corrected function:',
        detail:
          'A filter ended the reply, or the model refused to answer. Its last text: Here is the corrected function:',
      });
    },
  );

  it('of the last model ends the conversation as refused', async () => {
    const server = await serve([REFUSED, REFUSED]);
    const { reply } = await hold(clientAt(server, format, { names }));
    expect(reply).toMatchObject({ ending: 'refused', steps: 1 });
    expect(modelsCalled(server)).toEqual(['one', 'two']);
  });
});

describe.each(FORMATS)('an empty reply, in %s', (format) => {
  it('is asked for once more, and no third time', async () => {
    const server = await serve(Array.from({ length: 9 }, (): WireReply => ({ text: '' })));
    const { reply } = await hold(clientAt(server, format));
    expect(reply).toMatchObject({ ending: 'failed', failure: { kind: 'reply' } });
    expect(server.requests).toHaveLength(2);
  });
});

describe.each(FORMATS)('a reply that is cut off at the output limit, in %s', (format) => {
  it('is continued until it ends, and its parts are joined', async () => {
    const server = await serve([
      { text: 'One, ', finish: 'length' },
      { text: 'two, ', finish: 'length' },
      { text: 'three.' },
    ]);
    const { reply } = await hold(clientAt(server, format));
    expect(reply).toMatchObject({ ending: 'stopped', text: 'One, two, three.', steps: 3 });
    const last = JSON.stringify(promptOf(server.requests[2]!));
    expect(last).toContain('was cut off');
    expect(last).toContain('two, ');
  });

  it('is continued three times at most', async () => {
    const cut: WireReply = { text: 'x', finish: 'length' };
    const server = await serve(Array.from({ length: 9 }, () => cut));
    const { reply } = await hold(clientAt(server, format));
    expect(reply).toMatchObject({ ending: 'length', text: 'xxxx' });
    expect(server.requests).toHaveLength(4);
  });

  it('keeps its first part if the rest cannot be had', async () => {
    const server = await serve([
      { text: 'One, ', finish: 'length' },
      { fault: { kind: 'status', status: 401 } },
    ]);
    const { reply } = await hold(clientAt(server, format));
    expect(reply).toMatchObject({ ending: 'length', text: 'One, ' });
  });
});

describe('a server that stays silent', () => {
  it('is asked once more, and no third time', async () => {
    const stall: WireReply = { text: 'Half of it', fault: { kind: 'stall', after: 'first-chunk' } };
    const server = await serve(Array.from({ length: 9 }, () => stall));
    const { reply } = await hold(clientAt(server, 'openai-chat', { timeoutMs: 300 }));
    expect(reply).toMatchObject({ ending: 'failed', failure: { kind: 'timeout' } });
    expect(server.requests).toHaveLength(2);
  });

  it('but sends a byte now and then is not asked again after the time of a whole reply', async () => {
    const slow: WireReply = { text: 'a'.repeat(2000), fault: { kind: 'drip', bytes: 1, everyMs: 20 } };
    const server = await serve(Array.from({ length: 9 }, () => slow));
    const { reply } = await hold(clientAt(server, 'openai-chat', { timeoutMs: 400 }));
    expect(reply).toMatchObject({ ending: 'failed', failure: { kind: 'timeout', permanent: false } });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a model that has just failed another client', () => {
  const DOWN: WireReply = { fault: { kind: 'status', status: 503 } };

  async function ask(
    server: WireServer,
    health: ModelHealth,
    channel: 'actor' | 'reflector',
    names: readonly string[] = ['one'],
  ): Promise<Reply> {
    const events: WorkEvent[] = [];
    return clientAt(server, 'openai-chat', { ...named(...names), health, channel }).converse({
      system: 's',
      prompt: 'p',
      maxSteps: 1,
      onlyIfHealthy: channel === 'reflector',
      signal: new AbortController().signal,
      onWork: (event) => events.push(event),
    });
  }

  it('is not asked by a conversation that wants a healthy model', async () => {
    const server = await serve(() => DOWN);
    const health = new ModelHealth();
    await ask(server, health, 'actor');
    const before = server.requests.length;
    expect(await ask(server, health, 'reflector')).toMatchObject({
      ending: 'failed',
      steps: 0,
      failure: { kind: 'server', statusCode: 503 },
    });
    expect(server.requests).toHaveLength(before);
  });

  it('is replaced by the fallback model', async () => {
    const server = await serve(({ model }) => (model === 'one' ? DOWN : FINE));
    const health = new ModelHealth();
    await ask(server, health, 'actor');
    const before = server.requests.length;
    expect(await ask(server, health, 'reflector', ['one', 'two'])).toMatchObject({ text: 'Fine.' });
    expect(modelsCalled(server).slice(before)).toEqual(['two']);
  });

  it('is asked again after it has answered, or if the failure was its own', async () => {
    let isDown = true;
    const server = await serve(() => (isDown ? DOWN : FINE));
    const health = new ModelHealth();
    await ask(server, health, 'reflector');
    const before = server.requests.length;
    await ask(server, health, 'reflector');
    expect(server.requests).toHaveLength(before + 1);
    await ask(server, health, 'actor');
    isDown = false;
    await ask(server, health, 'actor');
    expect(await ask(server, health, 'reflector')).toMatchObject({ ending: 'stopped' });
  });
});
