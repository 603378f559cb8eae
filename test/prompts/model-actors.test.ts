import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AttemptContext } from '../../src/ports/attempt.ts';
import { attemptPrompt } from '../../src/prompts/attempt.ts';
import { fenceFor } from '../../src/prompts/fence.ts';
import { renderPrompt } from '../../src/prompts/render.ts';
import { temporaryFolder } from '../support/repositories.ts';
import { evaluation, failure } from '../support/scripted.ts';

const context = {
  task: 'Count the quantity',
  guidance: 'Use tabs.',
  reflections: [],
  evaluation: evaluation(1, 2, { diagnostics: [{ ...failure(1), file: 'test/cart.test.ts', line: 4 }] }),
} as unknown as AttemptContext;
const shown = [
  { path: 'src/cart.ts', text: 'export const a = `<b>`;\n', cut: '' },
  { path: 'README.md', text: '```sh\nnpm test\n```\n', cut: '3 of 90 lines' },
];

describe('system prompts of the model actors', () => {
  it.each(['react-system', 'cot-system', 'propose-system'] as const)('%s matches its snapshot', (name) => {
    expect(renderPrompt(name, {})).toMatchSnapshot();
  });

  it.each(['react-system', 'cot-system', 'propose-system'] as const)(
    '%s is the same in every repository',
    (name) => {
      expect(renderPrompt(name, {}, temporaryFolder())).toBe(renderPrompt(name, {}));
      expect(renderPrompt(name, {})).not.toMatch(/\{\{|undefined|\d{4}-\d\d/);
    },
  );

  it('are overridden by templates of the repository', () => {
    const root = temporaryFolder();
    mkdirSync(join(root, '.aiwg/ralph/prompts'), { recursive: true });
    writeFileSync(join(root, '.aiwg/ralph/prompts/react-system.hbs'), 'Be quick.');
    expect(renderPrompt('react-system', {}, root)).toBe('Be quick.');
  });
});

describe('cot.hbs', () => {
  const render = (over: Partial<AttemptContext> = {}, files = shown): string =>
    renderPrompt('cot', attemptPrompt({ ...context, ...over }, { files, listing: 'README.md\nsrc/cart.ts' }));

  it('renders guidance, task and checks, then the files in fences, then all paths', () => {
    expect(render()).toMatchSnapshot();
  });

  it('omits the files if none is shown', () => {
    expect(render({}, [])).not.toMatch(/# Files|## src|undefined/);
  });
});

describe('context.hbs', () => {
  it('is attempt.hbs without its first lines', () => {
    expect(renderPrompt('context', attemptPrompt(context))).toMatchSnapshot();
  });
});

describe('fenceFor', () => {
  it.each([
    ['plain text', 'a', 3],
    ['nothing', '', 3],
    ['inline code', 'a `b` ``c``', 3],
    ['a fence', '```\na\n```', 4],
    ['a long fence', '``````', 7],
  ])('is longer than any run of backticks in %s', (_name, text, length) => {
    expect(fenceFor(text)).toBe('`'.repeat(length));
  });

  it('reads a text with many runs', () => {
    expect(fenceFor('`a` '.repeat(300_000))).toBe('```');
  });
});
