import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCotActor } from '../../../src/agents/cot/index.ts';
import type { WorkEvent } from '../../../src/events.ts';
import type { AttemptContext } from '../../../src/ports/attempt.ts';
import type { Trajectory } from '../../../src/schema/generated.ts';
import { validate } from '../../../src/schema/validate.ts';
import { contextFor, createRepo, testsBy, textsOf } from '../../support/repair-repo.ts';
import { temporaryFolder, type Files } from '../../support/repositories.ts';
import {
  SCRIPTED_USAGE,
  scriptedModel,
  type ScriptedModel,
  type ScriptedReply,
} from '../../support/scripted-model.ts';
import { evaluation } from '../../support/scripted.ts';
import { block } from './answers.ts';

const CART = [
  'export function total(items) {',
  '  let sum = 0;',
  '  for (const item of items) sum += item.price;',
  '  return sum;',
  '}',
  '',
].join('\n');
const RIGHT = block('sum += item.price;', 'sum += item.price * item.quantity;');

interface Attempted {
  readonly root: string;
  readonly trajectory: Trajectory;
  readonly model: ScriptedModel;
  readonly events: WorkEvent[];
  text(path: string): string;
}

/** Runs an attempt with a given answer on a tree whose checks count as passed. */
async function attempt(
  reply: ScriptedReply,
  files: Files = { 'src/cart.js': CART },
  over: Partial<AttemptContext> & { readonly prepare?: (root: string) => void } = {},
): Promise<Attempted> {
  const root = createRepo(files);
  over.prepare?.(root);
  const model = scriptedModel([reply]);
  const events: WorkEvent[] = [];
  const context = {
    root,
    task: 'Count the quantity.',
    guidance: '',
    reflections: [],
    iteration: 1,
    evaluation: evaluation(1, 1),
    project: { packageDir: '.' },
    signal: new AbortController().signal,
    onWork: (event: WorkEvent) => void events.push(event),
    ...over,
  } as unknown as AttemptContext;
  const trajectory = await createCotActor({ client: model, repository: root }).attempt(context);
  expect(validate('trajectory', trajectory)).toMatchObject({ ok: true });
  return { root, trajectory, model, events, text: (path) => readFileSync(join(root, path), 'utf8') };
}

describe('the cot actor', () => {
  it('repairs a repository with one model call without tools', async () => {
    const root = createRepo({
      'src/cart.js': CART,
      'test/cart.test.js':
        "import test from 'node:test';\nimport assert from 'node:assert';\nimport { total } from '../src/cart.js';\n" +
        "test('counts', () => assert.equal(total([{ price: 2, quantity: 3 }]), 6));\n",
    });
    const context = await contextFor(root, { checks: testsBy('node') });
    const model = scriptedModel([`The quantity is left out.\n\nsrc/cart.js\n${RIGHT}`]);
    const trajectory = await createCotActor({ client: model, repository: root }).attempt({
      ...context,
      guidance: 'Use two spaces.',
    });
    const [asked] = model.asked;
    expect(model.asked).toHaveLength(1);
    expect(asked).toMatchObject({ maxSteps: 1 });
    expect(asked!.tools).toBeUndefined();
    for (const part of [
      CART.trim(),
      'total([{ price: 2',
      'Use two spaces.',
      'tests: fail',
      'test/cart.test.js\n',
    ])
      expect(asked!.prompt).toContain(part);
    expect(asked!.prompt).not.toContain(root);
    expect(trajectory).toMatchObject({
      actor: 'cot',
      outcome: 'claimed_done',
      message: 'Changed src/cart.js.',
      usage: SCRIPTED_USAGE,
      actions: [
        { type: 'code_modification', file_path: 'src/cart.js', changes: { additions: 1, deletions: 1 } },
      ],
    });
    expect(await context.bench.run('tests', { signal: context.signal })).toMatchObject({ status: 'pass' });
  });

  it('sends the same system prompt for every repository and attempt', async () => {
    const [one, other] = await Promise.all([
      attempt('nothing'),
      attempt('nothing', { 'a.ts': '' }, { iteration: 2, task: 'x', guidance: 'y' }),
    ]);
    expect(one.model.asked[0]!.system).toBe(other.model.asked[0]!.system);
  });

  it('reports each change when it is made', async () => {
    const { events, trajectory } = await attempt(
      `src/cart.js\n${RIGHT}\n\nsrc/new.js\n\`\`\`\nexport {};\n\`\`\``,
    );
    expect(events).toEqual(trajectory.actions.map((action) => ({ type: 'action', action })));
    expect(trajectory.actions.map(({ type }) => type)).toEqual(['code_modification', 'file_creation']);
  });

  it('gives up if the answer has neither block nor file', async () => {
    const { trajectory, root } = await attempt('It looks right to me.');
    expect(trajectory).toMatchObject({
      outcome: 'gave_up',
      message: 'The answer has no edit block and no file.',
      rationale: 'It looks right to me.',
    });
    expect(Object.keys(textsOf(root))).toEqual(['package.json', 'src/cart.js']);
  });

  it('reports a block that cannot be applied and applies the others of the file', async () => {
    const wrong = block('let total = 0;', 'let total = 1;');
    const { text, trajectory } = await attempt(`src/cart.js\n${wrong}\n${RIGHT}`);
    expect(text('src/cart.js')).toContain('item.quantity');
    expect(trajectory.message).toMatch(
      /^Changed src\/cart\.js\.\nSome changes could not be applied:\nBlock 1 of 2, src\/cart\.js: /,
    );
    expect(trajectory.message).toContain('oldText is not in the file');
    expect(trajectory.actions.map(({ type }) => type)).toEqual(['other', 'code_modification']);
  });

  it('applies blocks that depend on each other in order', async () => {
    const second = block('sum += item.price * item.quantity;', 'sum += item.quantity * item.price;');
    const { text, trajectory } = await attempt(`src/cart.js\n${RIGHT}\n${second}`);
    expect(text('src/cart.js')).toContain('sum += item.quantity * item.price;');
    expect(trajectory.message).toBe('Changed src/cart.js.');
  });

  it('leaves no blank line after a deletion', async () => {
    const { text } = await attempt(`src/cart.js\n${block('  return sum;', '')}`);
    expect(text('src/cart.js')).toBe(CART.replace('  return sum;\n', ''));
  });

  it('keeps the CRLF of a file', async () => {
    const crlf = CART.replaceAll('\n', '\r\n');
    const { text } = await attempt(`src/cart.js\n${RIGHT}`, { 'src/cart.js': crlf });
    expect(text('src/cart.js')).toBe(crlf.replace('item.price;', 'item.price * item.quantity;'));
    const whole = await attempt(`src/cart.js\n\`\`\`\n${CART}//\n\`\`\``, { 'src/cart.js': crlf });
    expect(whole.text('src/cart.js')).toBe(`${crlf}//\r\n`);
  });

  it('creates a file by an empty SEARCH, but replaces none', async () => {
    const made = await attempt(`src/tax/rate.js\n${block('', 'export const rate = 2;')}`);
    expect(made.text('src/tax/rate.js')).toBe('export const rate = 2;\n');
    const there = await attempt(`src/cart.js\n${block('', 'export const rate = 2;')}`);
    expect(there.text('src/cart.js')).toBe(CART);
    expect(there.trajectory).toMatchObject({ outcome: 'gave_up' });
    expect(there.trajectory.message).toMatch(/src\/cart\.js: the file exists already/);
  });

  describe('with a whole file in the answer', () => {
    const LONG = Array.from({ length: 60 }, (_, index) => `export const v${index} = ${index};`).join('\n');
    const REFUSED: readonly (readonly [string, string, string, RegExp])[] = [
      [
        'an ellipsis for omitted lines',
        CART,
        `${CART.slice(0, 40)}\n// ... existing code ...\n}\n`,
        /stands for omitted lines/,
      ],
      ['a comment for omitted lines', CART, `// rest of the file unchanged\n`, /stands for omitted lines/],
      [
        'an excerpt of a long file',
        LONG,
        'export const v1 = 2;\n',
        /1 line instead of 60 look like an excerpt/,
      ],
      [
        'a file that was shown only in part',
        `${LONG}\n${'// x\n'.repeat(5000)}`,
        `${LONG}\n`,
        /only parts of the file were shown/,
      ],
      ['the current text', CART, CART, /does not change the file/],
    ];

    it.each(REFUSED)('refuses %s with a message', async (_name, before, text, message) => {
      const answer = `src/cart.js\n\`\`\`js\n${text}\`\`\``;
      const task = 'Mend src/cart.js';
      const result = await attempt(answer, { 'src/cart.js': before }, { task });
      expect(result.trajectory.message).toMatch(message);
      expect(result.text('src/cart.js')).toBe(before);
    });

    it.each([
      ['a short file', CART, 'export const total = () => 6;\n'],
      [
        'a file that contains such a comment itself',
        `// ... existing rows first\n${CART}`,
        `// ... existing rows first\n${CART}//\n`,
      ],
      [
        'code with a spread and a comment about existing things',
        CART,
        `${CART}const a = [\n  ...other,\n];\n// existing users keep theirs\n`,
      ],
    ])('replaces %s', async (_name, before, text) => {
      const result = await attempt(`src/cart.js\n\`\`\`js\n${text}\`\`\``, { 'src/cart.js': before });
      expect(result.text('src/cart.js')).toBe(text);
    });
  });

  it('applies the complete blocks of an answer that was cut off', async () => {
    const text = `src/cart.js\n${RIGHT}\n\nsrc/b.js\n\`\`\`\nconst half`;
    const { text: textIn, trajectory } = await attempt({ text, ending: 'length', detail: 'It was cut off.' });
    expect(textIn('src/cart.js')).toContain('item.quantity');
    expect(trajectory.outcome).toBe('edited');
    expect(trajectory.message).toBe(
      'It was cut off.\nChanged src/cart.js.\nSome changes could not be applied:\nThe text of src/b.js is incomplete and was ignored.',
    );
  });

  it('gives up if the answer was cut off before a complete block', async () => {
    const reply = {
      text: `src/cart.js\n${RIGHT.slice(0, 40)}`,
      ending: 'length',
      detail: 'It was cut off.',
    } as const;
    const { text, trajectory } = await attempt(reply);
    expect(trajectory).toMatchObject({ outcome: 'gave_up' });
    expect(text('src/cart.js')).toBe(CART);
  });

  it.each([
    ['refused', 'gave_up'],
    ['failed', 'failed'],
    ['aborted', 'timed_out'],
    ['budget', 'out_of_budget'],
  ] as const)('changes nothing where the reply was %s', async (ending, outcome) => {
    const reply = { text: `src/cart.js\n${RIGHT}`, ending, detail: 'Why it ended.' };
    const { text, trajectory } = await attempt(reply);
    expect(trajectory).toMatchObject({ outcome, message: 'Why it ended.', actions: [] });
    expect(text('src/cart.js')).toBe(CART);
  });

  it('writes nothing outside of the repository, through links or into discarded folders', async () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'a.js'), 'kept\n');
    const paths = [
      '../a.js',
      join(outside, 'a.js'),
      'link/a.js',
      '.git/hooks/pre-commit',
      'node_modules/x/i.js',
    ];
    const answer = paths.map((path) => `${path}\n\`\`\`\nbad\n\`\`\``).join('\n\n');
    const { root, trajectory } = await attempt(answer, undefined, {
      prepare: (made) => symlinkSync(outside, join(made, 'link')),
    });
    expect(trajectory.outcome).toBe('gave_up');
    expect(trajectory.message.split('\n')).toHaveLength(1 + paths.length);
    expect(trajectory.message).not.toContain(root);
    expect(readFileSync(join(outside, 'a.js'), 'utf8')).toBe('kept\n');
    expect(Object.keys(textsOf(root))).not.toContain('.git/hooks/pre-commit');
  });

  it('resolves a path without the package folder to the file in it', async () => {
    const files = { 'packages/shop/src/cart.js': CART, 'packages/shop/package.json': {} };
    const project = { packageDir: 'packages/shop' } as AttemptContext['project'];
    const { text } = await attempt(`src/cart.js\n${RIGHT}`, files, { project });
    expect(text('packages/shop/src/cart.js')).toContain('item.quantity');
  });
});
