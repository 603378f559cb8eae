import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openRecording } from '../../../src/agents/llm/player.ts';
import { createRecorder } from '../../../src/agents/llm/recording.ts';
import { removeDamagedCalls } from '../../../src/agents/llm/remove-damaged-calls.ts';
import { temporaryFolder } from '../../support/repositories.ts';

let path: string;
beforeEach(() => {
  path = join(temporaryFolder(), 'model-calls.jsonl');
  let steps = 1;
  const recorder = createRecorder(path, () => steps);
  const add = (said: string): void =>
    recorder.add('actor', {
      model: 'a/b',
      options: { prompt: [{ role: 'user', content: [{ type: 'text', text: said }] }] },
      reply: {
        content: [{ type: 'text', text: said }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      },
      taken: { input_tokens: 1, output_tokens: 1, cached_input_tokens: 0, cost_usd: null },
    });
  ['one', 'two', 'three'].forEach(add);
  steps = 4;
  ['four', 'five'].forEach(add);
});

function damage(from: string, to: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to));
}

function textsIn(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(1, -1)
    .map((line) => (JSON.parse(line) as { reply: { content: [{ text: string }] } }).reply.content[0].text);
}

describe('removeDamagedCalls', () => {
  it('keeps an intact log, even with an incomplete last line', async () => {
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"channel":`);
    const before = readFileSync(path);
    expect(await removeDamagedCalls(path)).toBeUndefined();
    expect(readFileSync(path)).toEqual(before);
    expect(existsSync(`${path}.damaged`)).toBe(false);
  });

  it('removes a damaged call and the later ones of its step, and keeps a copy of the log', async () => {
    damage('two', 'TWO');
    expect(() => openRecording(path)).toThrow('Line 3');
    expect(await removeDamagedCalls(path)).toEqual({
      problem: expect.stringMatching(/^line 3: .*checksum/) as string,
      aside: `${path}.damaged`,
      lostCalls: 2,
    });
    expect(textsIn(path)).toEqual(['one', 'four', 'five']);
    expect(readFileSync(`${path}.damaged`, 'utf8')).toContain('TWO');
    expect(openRecording(path).count('actor')).toBe(3);
  });

  it('replaces a damaged header', async () => {
    damage('ralph_recording', 'ralph_recorded');
    expect(await removeDamagedCalls(path)).toMatchObject({ lostCalls: 0 });
    expect(openRecording(path).count('actor')).toBe(5);
  });

  it('returns undefined for a missing, empty or just created log', async () => {
    expect(await removeDamagedCalls(`${path}.none`)).toBeUndefined();
    for (const text of ['', '{"ralph_re', '{"ralph_recording":1}\n']) {
      writeFileSync(path, text);
      expect(await removeDamagedCalls(path)).toBeUndefined();
    }
    writeFileSync(path, '{"RALPH_re');
    expect(await removeDamagedCalls(path)).toMatchObject({
      problem: expect.stringContaining('line 1') as string,
    });
    expect(openRecording(path).count('actor')).toBe(0);
  });
});
