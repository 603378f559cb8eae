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

describe('a question of a pass', () => {
  it('gives the checked answer and what it took, also out of a fence', async () => {
    const ask = scriptedAsk('Here:\n```json\n{"facts": []}\n```');
    expect(await askForJson(ask, question)).toEqual({ ok: true, value: GOOD, usage: ASK_USAGE });
    expect(ask.asked).toHaveLength(1);
    expect(ask.asked[0]!.answerSchema).toMatchObject({ type: 'object', required: ['facts'] });
  });

  it('is asked once more where the answer breaks the schema, with the reason and the answer', async () => {
    const ask = scriptedAsk({ facts: [{ fact: 1 }] }, GOOD);
    expect(await askForJson(ask, question)).toMatchObject({ ok: true, usage: { input_tokens: 200 } });
    expect(ask.asked[1]!.prompt).toContain('What is worth keeping?');
    expect(ask.asked[1]!.prompt).toContain('{"facts":[{"fact":1}]}');
    expect(ask.asked[1]!.prompt).toContain('/facts/0');
  });

  it('is not asked a third time, and gives the last text for who can make something of it', async () => {
    const ask = scriptedAsk('no', '- still no', GOOD);
    expect(await askForJson(ask, question)).toMatchObject({ ok: false, text: '- still no' });
    expect(ask.asked).toHaveLength(2);
  });

  it('ends in time though the model never does', async () => {
    const asked = await askForJson(hungAsk, { ...question, timeoutMs: 20 });
    expect(asked).toMatchObject({ ok: false, reason: 'The model did not answer in time.' });
  });

  it('ends where it is stopped', async () => {
    const stop = new AbortController();
    const asked = askForJson(hungAsk, { ...question, signal: stop.signal });
    stop.abort();
    expect(await asked).toMatchObject({ ok: false, reason: 'It was stopped before the model answered.' });
  });

  it('is a value where the model rejects or says that it failed', async () => {
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
