import { describe, expect, it } from 'vitest';
import { askForJson, type Question } from '../../../../src/memory/passes/common/ask-json.ts';
import { ASK_USAGE, hungAsk, scriptedAsk } from '../../../support/memory.ts';

const question: Question<'micro-answer'> = {
  answer: 'micro-answer',
  system: 'system',
  prompt: 'What is worth keeping?',
  keys: ['facts'],
  timeoutMs: 5000,
};
const GOOD = { facts: [] };

describe('askForJson', () => {
  it('returns the valid answer, also from a fence, with the usage', async () => {
    const ask = scriptedAsk('Here:\n```json\n{"facts": []}\n```');
    expect(await askForJson(ask, question)).toEqual({ ok: true, value: GOOD, usage: ASK_USAGE });
    expect(ask.asked).toHaveLength(1);
    expect(ask.asked[0]!.answerSchema).toMatchObject({ type: 'object', required: ['facts'] });
  });

  it('asks again after an invalid answer, with the answer and the reason', async () => {
    const ask = scriptedAsk({ facts: [{ fact: 1 }] }, GOOD);
    expect(await askForJson(ask, question)).toMatchObject({ ok: true, usage: { input_tokens: 200 } });
    expect(ask.asked[1]!.prompt).toContain('What is worth keeping?');
    expect(ask.asked[1]!.prompt).toContain('{"facts":[{"fact":1}]}');
    expect(ask.asked[1]!.prompt).toContain('/facts/0');
  });

  it('does not ask a third time, and returns the last text', async () => {
    const ask = scriptedAsk('no', '- still no', GOOD);
    expect(await askForJson(ask, question)).toMatchObject({ ok: false, text: '- still no' });
    expect(ask.asked).toHaveLength(2);
  });

  it('times out when the model never answers', async () => {
    const asked = await askForJson(hungAsk, { ...question, timeoutMs: 20 });
    expect(asked).toMatchObject({ ok: false, reason: 'The model did not answer in time.' });
  });

  it('ends when the signal is aborted', async () => {
    const stop = new AbortController();
    const asked = askForJson(hungAsk, { ...question, signal: stop.signal });
    stop.abort();
    expect(await asked).toMatchObject({
      ok: false,
      reason: 'The question was stopped before the model answered.',
    });
  });

  it('returns a failure when the model rejects or reports one', async () => {
    const broken = () => Promise.reject(new Error('socket hang up'));
    expect(await askForJson(broken, question)).toMatchObject({ ok: false, reason: 'socket hang up' });
    const failed = scriptedAsk({ failed: 'The key is wrong.' });
    expect(await askForJson(failed, question)).toMatchObject({ ok: false, reason: 'The key is wrong.' });
  });

  it.each([
    ['deep nesting', `{"facts": ${'['.repeat(500)}${']'.repeat(500)}}`],
    ['a text beyond all measure', `{"facts": ["${'x'.repeat(300_000)}"]}`],
    ['nothing', ''],
  ])('refuses %s', async (_, text) => {
    expect(await askForJson(scriptedAsk(text, text), question)).toMatchObject({ ok: false });
  });
});
