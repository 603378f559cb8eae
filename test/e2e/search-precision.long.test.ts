import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ralphRun } from '../support/ralph.ts';
import { repositoryWith } from '../support/repositories.ts';

const PACKAGE = { name: 'subject', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } };
const HEAD = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";

function repository(source: string, tests: string, config: object = {}): string {
  return repositoryWith({
    'package.json': PACKAGE,
    'src/subject.js': source,
    'test/subject.test.js': `${HEAD}import * as subject from '../src/subject.js';\n${tests}`,
    'ralph.config.json': config,
  });
}

function sourceOf(root: string): string {
  return readFileSync(join(root, 'src/subject.js'), 'utf8');
}

/** The texts of the alternatives of all attempts. */
function alternativesOf(root: string, loopId: string): string[] {
  const attempts = join(root, '.aiwg/ralph/loops', loopId, 'attempts');
  return readdirSync(attempts).flatMap((attempt) => {
    const folder = join(attempts, attempt, 'alternatives');
    if (!existsSync(folder)) return [];
    return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  });
}

describe('a search that finds no repair, only answers', { timeout: 240_000 }, () => {
  it.each([
    [
      'a constant',
      'export function weigh(text, unit) {\n  return text.length + unit;\n}\n',
      "test('weighs', () => assert.equal(subject.weigh('abcd', 17), 288));\n",
      '288',
    ],
    [
      'a string',
      'export function odd(words) {\n  return words.length > 9 ? words : [];\n}\n',
      "test('odd', () => assert.equal(subject.odd(['one', 'two', 'three']), 'one three five'));\n",
      'one three five',
    ],
  ])('does not verify %s that a test expects', async (_, source, tests, answer) => {
    const root = repository(source, tests, { search: { maxCandidates: 1500 } });
    const { exitCode, verdict } = await ralphRun(root, ['--max-iterations', '2']);
    expect(exitCode).toBe(1);
    expect(verdict.verified).toBe(false);
    expect(sourceOf(root)).toBe(source);
    expect(alternativesOf(root, verdict.loop_id!).filter((patch) => patch.includes(answer))).toEqual([]);
  });

  it('verifies the repair of the same shape', async () => {
    const source = 'export function area(width, height) {\n  return width + height;\n}\n';
    const tests = [
      "test('area', () => assert.equal(subject.area(12, 24), 288));",
      "test('small', () => assert.equal(subject.area(3, 5), 15));",
      "test('empty', () => assert.equal(subject.area(0, 5), 0));",
    ].join('\n');
    const root = repository(source, `${tests}\n`);
    const { exitCode } = await ralphRun(root, []);
    expect(exitCode).toBe(0);
    expect(sourceOf(root)).toBe(source.replace('+', '*'));
  });
});

describe('a search that finds several plausible edits', { timeout: 240_000 }, () => {
  const SOURCE =
    'export function limit(value, most) {\n  if (value < most) return most;\n  return value;\n}\n';
  const TESTS = "test('limit', () => assert.equal(subject.limit(7, 4), 4));\n";

  it('chooses none below the confidence asked for, and names an input on which they differ', async () => {
    const root = repository(SOURCE, TESTS, { search: { minConfidence: 1 } });
    const { exitCode, verdict } = await ralphRun(root, ['--max-iterations', '2']);
    expect(exitCode).toBe(1);
    expect(sourceOf(root)).toBe(SOURCE);
    expect(alternativesOf(root, verdict.loop_id!).length).toBeGreaterThan(1);
    const reflections = verdict.reflections.map((path) => readFileSync(join(root, path), 'utf8'));
    expect(reflections[0]).toMatch(
      /plausible edits; not chosen \(confidence 0\.\d\d, below 1\)\. They differ on limit\(.*?\): .* or /,
    );
    expect(reflections[0]).toContain('none was sure enough to be applied');
    expect(reflections[1]).toContain(
      'an earlier attempt found plausible edits for these failures and chose none',
    );
  });

  it('chooses one if the confidence asked for is low', async () => {
    const root = repository(SOURCE, TESTS, { search: { minConfidence: 0 } });
    const { exitCode } = await ralphRun(root, []);
    expect(exitCode).toBe(0);
    expect(sourceOf(root)).not.toBe(SOURCE);
  });
});
