import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changedSources } from '../../../src/proof/strength/changed-sources.ts';
import { proposeMutants } from '../../../src/proof/strength/mutants.ts';
import type { StrengthRequest } from '../../../src/ports/acceptance.ts';
import { temporaryFolder } from '../../support/repositories.ts';

/** Changed sources of a file of which every line is new. */
function sourcesOf(code: string, file = 'subject.ts') {
  const root = temporaryFolder();
  writeFileSync(join(root, file), code);
  const lines = code.trimEnd().split('\n');
  const patch = [
    `diff --git a/${file} b/${file}`,
    '--- /dev/null',
    `+++ b/${file}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n');
  return changedSources({
    root,
    changes: { patch },
    testFiles: [] as string[],
  } as unknown as StrengthRequest);
}

const mutantsOf = (code: string, unexecuted: readonly number[] = []) =>
  proposeMutants(sourcesOf(code), { limit: 40, unexecuted: new Map([['subject.ts', unexecuted]]) });

const named = (code: string): string[] =>
  mutantsOf(`export const f = (a, b) => {\n${code}\n};\n`)
    .filter(({ line }) => line === 2)
    .map(({ before, after }) => `${before} → ${after}`);

describe('proposeMutants', () => {
  it.each([
    ['return a >= 18;', 'a >= 18 → a > 18'],
    ['return a && b;', 'a && b → a || b'],
    ['return a + b;', 'a + b → a - b'],
    ['return 5;', '5 → 6'],
    ["return 'x';", "'x' → ''"],
    ['return true;', 'true → false'],
    ['return !a;', '!a → a'],
    ['return a?.b;', 'a?.b → a.b'],
    ['return [a];', '[a] → []'],
    ['return -a;', '-a → a'],
    ['return a;', 'return a; → return undefined;'],
    ['return { a, b };', 'a, → (removed)'],
    ['let i = 0; i += a; return i;', 'i += a → i -= a'],
  ])('mutates %s', (code, mutant) => {
    expect(named(code)).toContain(mutant);
  });

  it('leaves comments, types, imports and lone brackets alone', () => {
    const code =
      "import { x } from 'y';\n// a > 1\ninterface A {\n  a: 1;\n}\nexport const f = (\n  a: number,\n): boolean => a > 1;\n";
    expect(mutantsOf(code).map(({ line }) => line)).not.toContain(1);
    expect(new Set(mutantsOf(code).map(({ line }) => line))).toEqual(new Set([8]));
  });

  it('proposes one mutant of each line before the second of any', () => {
    const code = `export function f(a, b) {\n${'  if (a > 1 && b < 2) a = b + 1;\n'.repeat(10)}}\n`;
    const lines = mutantsOf(code).map(({ line }) => line);
    expect(new Set(lines.slice(0, 10)).size).toBe(10);
    expect(lines).toHaveLength(30);
  });

  it('proposes none of a line that no test runs', () => {
    const code = 'export function f(a) {\n  if (a) return 1;\n  return 2;\n}\n';
    expect(mutantsOf(code, [3]).some(({ line }) => line === 3)).toBe(false);
    expect(mutantsOf(code).some(({ line }) => line === 3)).toBe(true);
  });

  it('proposes mutants that are programs and differ from the source', () => {
    const code =
      'export const f = (a) => {\n  for (let i = 0; i < a; i++) if (a[i]?.x ?? 3) return `${i}-`;\n};\n';
    const texts = mutantsOf(code).map(({ candidate: { edits } }) => edits[0]!.replacement);
    expect(texts.length).toBeGreaterThan(3);
  });
});

describe('changedSources', () => {
  it('leaves out test files, configuration and files that do not parse', () => {
    expect(sourcesOf('export const a = 1;\n', 'a.test.ts')).toEqual([]);
    expect(sourcesOf('export default {};\n', 'vitest.config.ts')).toEqual([]);
    expect(sourcesOf('export const = ;\n')).toEqual([]);
    expect(sourcesOf('export const a = 1;\n')).toHaveLength(1);
  });
});
