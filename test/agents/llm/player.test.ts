import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ExitCode } from '../../../src/errors.ts';
import { openRecording, readSessions, type Player } from '../../../src/agents/llm/player.ts';
import { appendSession } from '../../../src/agents/sessions/recorded-session.ts';
import { createRecorder, type Channel } from '../../../src/agents/llm/recording.ts';
import { answered, request, temporaryFolder, textOf } from './recorded.ts';

/** Records each call `channel question answer` with its index as the step. */
function record(path: string, ...calls: readonly string[]): void {
  let step = 0;
  const recorder = createRecorder(path, () => step++);
  for (const call of calls) {
    const [channel, question, answer] = call.split(' ');
    recorder.add(channel as Channel, answered(answer!, request(question!)));
  }
}

function ask(player: Player, channel: Channel, question: string): unknown[] {
  const played = player.next(channel, request(question));
  return [textOf(played?.call), played?.same];
}

describe('openRecording', () => {
  it('replays the recorded calls', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    record(path, 'actor a 1', 'actor b 2');
    const player = openRecording(path);
    expect([player.path, player.count('actor'), player.count('reflector')]).toEqual([path, 2, 0]);
    expect(ask(player, 'actor', 'a')).toEqual(['1', true]);
    expect(ask(player, 'actor', 'b')).toEqual(['2', true]);
    expect(player.next('actor', request('a'))).toBeUndefined();
    expect(player.count('actor')).toBe(2);
  });

  it('replays the call with the same request, in any order', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    record(path, 'actor a 1', 'actor b 2', 'actor a 3');
    const player = openRecording(path);
    expect(ask(player, 'actor', 'b')).toEqual(['2', true]);
    expect(ask(player, 'actor', 'a')).toEqual(['1', true]);
    expect(ask(player, 'actor', 'a')).toEqual(['3', true]);
  });

  it('replays the next call for an unknown request, never an earlier one', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    record(path, 'actor a 1', 'actor b 2', 'actor c 3');
    const player = openRecording(path);
    expect(ask(player, 'actor', 'b')).toEqual(['2', true]);
    expect(ask(player, 'actor', 'x')).toEqual(['3', false]);
    expect(ask(player, 'actor', 'y')).toEqual([undefined, undefined]);
  });

  it('separates the channels, even for the same request', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    record(path, 'reflector a 1', 'actor a 2', 'reflector b 3');
    const player = openRecording(path);
    expect(ask(player, 'actor', 'a')).toEqual(['2', true]);
    expect(ask(player, 'actor', 'b')).toEqual([undefined, undefined]);
    expect(ask(player, 'reflector', 'x')).toEqual(['1', false]);
    expect(ask(player, 'reflector', 'b')).toEqual(['3', true]);
  });

  it('replays only the calls that `keep` selects', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    record(path, 'actor a 1', 'actor a 2', 'actor a 3');
    const player = openRecording(path, (call) => call.finished_steps === 1);
    expect(player.count('actor')).toBe(1);
    expect(ask(player, 'actor', 'x')).toEqual(['2', false]);
  });

  it.each(['{"channel":"actor","mod', '{}', '\0\0'])('ignores the incomplete last line %s', (torn) => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    record(path, 'actor a 1');
    appendFileSync(path, torn);
    expect(openRecording(path).count('actor')).toBe(1);
  });

  it.each(['', '{"ralph_'])('has no calls if the header is incomplete: "%s"', (torn) => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    writeFileSync(path, torn);
    expect(openRecording(path).count('actor')).toBe(0);
  });

  it('says that a recording was cut off, is one of an agent, or has another version', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    record(path, 'actor a 1');
    expect(openRecording(path).whyIncomplete).toBeUndefined();
    expect(readSessions(path).whyIncomplete).toMatch(/recording of a model, not of an agent/);
    appendFileSync(path, '{"channel":');
    expect(openRecording(path).whyIncomplete).toMatch(/was cut off/);
    expect(readSessions(path).whyIncomplete).toMatch(/was cut off/);
    writeFileSync(path, '{"ralph_recording":99}\n');
    expect(() => openRecording(path)).toThrow(/the recording has version 99, and this ralph reads version 1/);
    writeFileSync(path, '{"ralph_recording":1}\n');
    appendSession(path, { attempt: 1, sample: null, prompt: '', patch: '', trajectory: {} as never });
    expect(openRecording(path).whyIncomplete).toMatch(/recording of an agent or a command, not of a model/);
    expect(readSessions(path).whyIncomplete).toBeUndefined();
  });

  it.each([
    ['text that is not JSON', 'nonsense'],
    ['an empty line', ''],
    ['an object of another shape', '{"a":1}'],
    ['null', 'null'],
    ['a call without an answer', '{"channel":"actor","reply":{"usage":{}}}'],
    ['a call without its usage', '{"channel":"actor","reply":{"content":[]}}'],
  ])('names the damaged line: %s', (_name, line) => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    record(path, 'actor a 1', 'actor b 2');
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, [...lines.slice(0, 2), line, ...lines.slice(2)].join('\n'));
    expect(() => openRecording(path)).toThrow(
      expect.objectContaining({
        code: 'state_damaged',
        exitCode: ExitCode.state,
        message: `Line 3 of ${path} cannot be used: it is not a recorded call.`,
      }),
    );
  });

  it.each(['{}\n', 'hello\n', '{"ralph_recording":2}\n'])(
    'rejects "%s", which is not a recording',
    (text) => {
      using folder = temporaryFolder();
      const path = join(folder.path, 'calls.jsonl');
      writeFileSync(path, text);
      expect(() => openRecording(path)).toThrow(
        expect.objectContaining({
          exitCode: ExitCode.state,
          message: expect.stringMatching(/^Line 1 of/) as string,
        }),
      );
    },
  );

  it('names a missing file', () => {
    expect(() => openRecording('/no/such.jsonl')).toThrow(
      expect.objectContaining({
        exitCode: ExitCode.usage,
        message: expect.stringMatching(/^--replay: \/no\/such\.jsonl cannot be read: ENOENT/) as string,
      }),
    );
  });
});
