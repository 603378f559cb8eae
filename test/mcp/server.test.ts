import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { McpRequest } from '../../src/compose/mcp.ts';
import { createLessonStore } from '../../src/memory/lessons/store.ts';
import { promptText } from '../../src/mcp/prompts.ts';
import { RALPH_PATHS } from '../../src/platform/ralph-folder.ts';
import type { Diagnostic } from '../../src/schema/generated.ts';
import { temporaryFolder } from '../support/repositories.ts';
import { put, sampleReflection } from '../memory/sample.ts';
import { connectRaw, HELLO, type Answer, type RawClient } from './memory-client.ts';

const ERROR: Diagnostic = {
  type: 'test_failure',
  severity: 'error',
  check: 'tests',
  fingerprint: '0123456789ab',
  message: 'expected 3 to be 2',
  file: 'test/parse.test.ts',
  rule: 'parse keeps the last item',
};

let root: string;
let client: RawClient;
beforeEach(() => {
  root = temporaryFolder();
  put(root, 'src/parse.ts', 'export function parse() {}\n');
  put(root, '.aiwg/ralph/reflections/ralph-sample/001.json', sampleReflection({ errors: [ERROR] }));
});
afterEach(() => client.close());

async function open(allowed: Partial<McpRequest> = {}): Promise<void> {
  client = connectRaw(root, allowed);
  await client.ask('initialize', HELLO);
}

async function call(name: string, args: object = {}): Promise<{ failed: boolean; text: string }> {
  const { result } = await client.ask('tools/call', { name, arguments: args });
  return { failed: result?.isError === true, text: result!.content!.map(({ text }) => text).join('') };
}

const names = async (): Promise<string[]> => {
  const { result } = (await client.ask('tools/list')) as { result: { tools: { name: string }[] } };
  return result.tools.map(({ name }) => name);
};

const LESSON = {
  text: 'Return the last item from `parse` in src/parse.ts.',
  type: 'pitfall',
  loop: 'ralph-sample',
  quote: 'expected 3 to be 2',
};

describe('the memory server', () => {
  it('is read-only by default, and says how to turn on more tools', async () => {
    await open();
    expect(await names()).toEqual(['search_reflections', 'search_lessons', 'read_playbook']);
    expect(await call('propose_lesson', LESSON)).toEqual({
      failed: true,
      text: 'propose_lesson is turned off: start the server with --allow-writes.',
    });
    expect((await call('evaluate')).text).toContain('--allow-evaluate');
    await call('search_lessons', {});
    await call('read_playbook');
    expect(existsSync(join(root, '.aiwg/ralph/memory'))).toBe(false);
    expect(readdirSync(join(root, '.aiwg/ralph'))).toEqual(['reflections']);
  });

  it('finds reflections by words and filters', async () => {
    await open();
    const { text } = await call('search_reflections', { words: 'parser', fingerprint: '0123456789ab' });
    expect(JSON.parse(text)).toMatchObject({
      shown: 1,
      reflections: [
        { loop: 'ralph-sample', attempt: 1, category: 'edge_case_miss', fingerprints: ['0123456789ab'] },
      ],
    });
    expect(JSON.parse((await call('search_reflections', { words: 'zeppelin' })).text)).toMatchObject({
      shown: 0,
    });
  });

  it.each([
    ['search_reflections', { limit: 1000 }, '/limit must be <= 50'],
    ['search_reflections', { wrods: 'x' }, 'must NOT have additional properties'],
    ['search_reflections', { words: '<=' }, 'must contain a letter or a digit'],
    ['search_reflections', { since: 'yesterday' }, 'is not a time'],
    ['search_lessons', { words: '?!' }, 'digit'],
    ['search_reflections', [], 'must be object'],
    ['search_lessons', { type: 'wisdom' }, '/type must be equal to one of'],
  ])('reports the problem of %s %j', async (name, args, said) => {
    await open();
    const answer = await client.ask('tools/call', { name, arguments: args });
    expect(JSON.stringify(answer)).toMatch(/"isError":true|"error"/);
    if (answer.result !== undefined) expect(answer.result.content![0]!.text).toContain(said);
  });

  it('stages a lesson whose quote was printed in the loop, and refuses others', async () => {
    await open({ allowWrites: true });
    expect(await names()).toContain('propose_lesson');
    const admitted = await call('propose_lesson', LESSON);
    expect(JSON.parse(admitted.text)).toMatchObject({
      outcome: 'staged',
      lesson: { source: { pass: 'mcp' } },
    });
    const invented = await call('propose_lesson', {
      ...LESSON,
      text: 'Other tests must be run alone.',
      quote: 'never said',
    });
    expect(invented).toMatchObject({ failed: true, text: expect.stringContaining('Refused (ungrounded)') });
    const own = {
      ...LESSON,
      text: 'The reflector wrote this one itself.',
      quote: 'The loop ends before the last item.',
    };
    expect((await call('propose_lesson', own)).text).toContain('ungrounded');
    const lessons = await createLessonStore({ repositoryRoot: root }).list();
    expect(lessons.map(({ text, status }) => [text, status])).toEqual([[LESSON.text, 'staged']]);
    expect(JSON.parse((await call('search_lessons', { words: 'last item' })).text)).toMatchObject({
      shown: 1,
    });
    expect(JSON.parse((await call('search_lessons', { status: 'active' })).text)).toMatchObject({ shown: 0 });
  });

  it('returns valid JSON for any text, with invisible characters escaped', async () => {
    const task = 'Family \u{1F469}\u200D\u{1F467}, right \u202E left, zero\u200Bwidth, \u001B[31m';
    put(
      root,
      '.aiwg/ralph/reflections/ralph-unseen/001.json',
      sampleReflection({ loop: 'ralph-unseen', task }),
    );
    await open();
    const { text } = await call('search_reflections', { loop: 'ralph-unseen' });
    const { result } = (await client.ask('resources/read', {
      uri: 'ralph://reflections/ralph-unseen/1',
    })) as { result: { contents: { text: string }[] } };
    expect(JSON.parse(text)).toMatchObject({ reflections: [{ task }] });
    expect(JSON.parse(result.contents[0]!.text)).toMatchObject({ reflections: [{ task_description: task }] });
    for (const unseen of ['\u200B', '\u200D', '\u202E', '\u001B'])
      expect(text + result.contents[0]!.text).not.toContain(unseen);
  });

  it('answers a message that is too long with an error', async () => {
    await open();
    const answer = await client.ask('tools/call', {
      name: 'search_lessons',
      arguments: { words: 'x'.repeat(12 * 1024 * 1024) },
    });
    expect(answer.error).toMatchObject({
      code: -32600,
      message: expect.stringContaining('Send smaller messages'),
    });
    expect(await names()).toContain('search_lessons');
  });

  it('bounds its answers, and describes what was cut', async () => {
    for (let iteration = 1; iteration < 30; iteration++) {
      const text = `In attempt ${iteration} the parser was at fault. `.repeat(150);
      put(root, RALPH_PATHS.reflection('ralph-sample', iteration), sampleReflection({ iteration, text }));
    }
    await open();
    const { text } = await call('search_reflections', { limit: 50 });
    expect(text.length).toBeLessThan(40_000);
    const { shown, cut } = JSON.parse(text) as { shown: number; cut: string };
    expect(shown).toBeLessThan(10);
    expect(cut).toMatch(
      /^only \d reflections are shown; narrow the query for others; \d+ texts cut at 4000 characters$/,
    );
  });

  it('returns resources, and an error for an unknown one', async () => {
    await open();
    const read = async (uri: string): Promise<Answer> => client.ask('resources/read', { uri });
    expect(JSON.stringify(await read('ralph://reflections'))).toContain('ralph://reflections/ralph-sample/1');
    expect(JSON.stringify(await read('ralph://reflections/ralph-sample/1'))).toContain('expected 3 to be 2');
    expect(JSON.stringify(await read('ralph://playbook'))).toContain('There is no playbook yet.');
    for (const uri of [
      'ralph://reflections/ralph-sample/2',
      'ralph://reflections/../../x/1',
      'file:///etc/passwd',
      '',
    ])
      expect((await read(uri)).error?.message).toContain('There is no resource');
  });

  it('answers pending requests when the input ends', async () => {
    await open();
    client.send(
      JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'read_playbook' } }),
    );
    await client.close();
    expect(client.answers().find(({ id }) => id === 7)?.result).toBeDefined();
  });

  it('redacts secrets', async () => {
    put(
      root,
      '.aiwg/ralph/reflections/ralph-secret/001.json',
      sampleReflection({ loop: 'ralph-secret', task: 'Use ghp_0123456789abcdefghijABCDEFGHIJ456789' }),
    );
    await open();
    expect((await call('search_reflections', { loop: 'ralph-secret' })).text).not.toContain('ghp_0123');
  });

  it('rejects calls beyond the maximum number of waiting ones', async () => {
    await open();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => call('search_reflections', { words: 'parser' })),
    );
    const busy = answers.filter(({ text }) => text.includes('Busy'));
    expect(busy.length).toBeGreaterThan(0);
    expect(answers.length - busy.length).toBeGreaterThanOrEqual(64);
  });
});

describe('the prompts', () => {
  it.each([
    ['recall', { task: 'Make the cart tests pass' }],
    ['recall', {}],
    ['retrospect', { loop: 'ralph-sample' }],
  ])('%s %j', async (name, args) => {
    await open();
    expect(promptText(name, args)).toMatchSnapshot();
    expect((await client.ask('prompts/get', { name, arguments: args })).error).toBeUndefined();
  });

  it('mark the cut of a long task', () => {
    expect(promptText('recall', { task: 'x'.repeat(9000) })).toContain(
      'x\n\n[cut: 1000 of 9000 characters left out]',
    );
  });

  it('reject an invalid loop id', async () => {
    await open();
    const { error } = await client.ask('prompts/get', { name: 'retrospect', arguments: { loop: '../x' } });
    expect(error?.message).toContain('loop must be a loop id');
  });
});
