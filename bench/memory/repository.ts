import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commit } from '../repository.ts';
import { slippedSource, type Sequence, type Slip } from './sequence.ts';

/** A bug that waits in a repository until its test comes. */
export interface Bug {
  readonly module: string;
  /** With the slip in it. */
  readonly source: string;
  readonly test: string;
  /** As it should be, where that is known. */
  readonly reference?: string;
}

/** A repository with bugs, in the order in which their tests come. */
export interface BugSeries {
  readonly name: string;
  /** `data`: from a file of problems; `own`: written for this benchmark. */
  readonly from: 'own' | 'data';
  readonly moduleType: 'module' | 'commonjs';
  readonly bugs: readonly Bug[];
}

/** Candidates of one attempt at most, and time enough for all of them: a busy machine must not change a count. */
const SEARCH = { maxCandidates: 4000, maxTime: '240s' };

export const sourcePath = (module: string): string => `src/${module}.js`;
const testPath = (module: string): string => `test/${module}.test.js`;

/** The series of a sequence that was written for this benchmark. */
export function seriesOf({ name, slips }: Sequence): BugSeries {
  return {
    ...{ name, from: 'own', moduleType: 'module' },
    bugs: slips.map((slip) => ({
      module: slip.module,
      source: slippedSource(slip),
      test: testOf(slip),
      reference: slip.source,
    })),
  };
}

/** A committed repository in which every bug is there and no test is. */
export function makeRepository(folder: string, { moduleType, bugs }: BugSeries): void {
  const manifest = {
    ...{ name: 'subject', version: '1.0.0', private: true, type: moduleType },
    scripts: { test: 'node --test' },
  };
  write(folder, 'package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  write(folder, 'ralph.config.json', `${JSON.stringify({ search: SEARCH })}\n`);
  write(folder, '.gitignore', 'node_modules\n.aiwg\n');
  for (const { module, source } of bugs) write(folder, sourcePath(module), source);
  commit(folder);
}

/** The report of a bug: its test, committed. */
export function report(folder: string, { module, test }: Bug): void {
  write(folder, testPath(module), test);
  commit(folder);
}

/** The end of a bug: what ralph verified is committed; where it verified nothing, the test is taken back. */
export function settle(folder: string, { module }: Bug, verified: boolean): void {
  if (!verified) rmSync(join(folder, testPath(module)));
  commit(folder);
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function testOf({ module, source, cases }: Slip): string {
  const names = [...source.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)].map(([, name]) => name);
  const tests = cases.map(
    ([expression, expected]) =>
      `test(${JSON.stringify(expression)}, async () => {\n  assert.deepEqual(${expression}, ${expected});\n});\n`,
  );
  return [
    "import test from 'node:test';",
    "import assert from 'node:assert/strict';",
    `import { ${names.join(', ')} } from '../src/${module}.js';`,
    '',
    ...tests,
  ].join('\n');
}
