import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commitRepository } from '../repository.ts';
import { slippedSource, type Sequence, type Slip } from './sequence.ts';

/** A bug that is in the repository from the start, and its failing test, which is added later. */
export interface Bug {
  /** Name of the module, see `sourcePath`. */
  readonly module: string;
  /** The module with the bug. */
  readonly source: string;
  readonly test: string;
  /** The module without the bug; undefined if unknown. */
  readonly reference?: string;
}

/** A repository with bugs, in the order in which their tests are added. */
export interface BugSeries {
  readonly name: string;
  /** `data`: from a file of problems; `own`: written for this benchmark. */
  readonly from: 'own' | 'data';
  readonly moduleType: 'module' | 'commonjs';
  readonly bugs: readonly Bug[];
}

/** The time is enough for all candidates, so that a busy machine does not change the counts. */
const SEARCH = { maxCandidates: 4000, maxTime: '240s' };

export const sourcePath = (module: string): string => `src/${module}.js`;
const testPath = (module: string): string => `test/${module}.test.js`;

/** A sequence written for this benchmark, as a series. */
export function seriesOf({ name, slips }: Sequence): BugSeries {
  return {
    name,
    from: 'own',
    moduleType: 'module',
    bugs: slips.map((slip) => ({
      module: slip.module,
      source: slippedSource(slip),
      test: testOf(slip),
      reference: slip.source,
    })),
  };
}

/** Makes a committed repository with all bugs of a series and no test. */
export function makeRepository(folder: string, { moduleType, bugs }: BugSeries): void {
  const manifest = {
    name: 'subject',
    version: '1.0.0',
    private: true,
    type: moduleType,
    scripts: { test: 'node --test' },
  };
  write(folder, 'package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  write(folder, 'ralph.config.json', `${JSON.stringify({ search: SEARCH })}\n`);
  write(folder, '.gitignore', 'node_modules\n.aiwg\n');
  for (const { module, source } of bugs) write(folder, sourcePath(module), source);
  commitRepository(folder);
}

/** Adds and commits the failing test of a bug. */
export function addTest(folder: string, { module, test }: Bug): void {
  write(folder, testPath(module), test);
  commitRepository(folder);
}

/** Commits ralph's verified repair of a bug; without one, removes the failing test. */
export function finishBug(folder: string, { module }: Bug, verified: boolean): void {
  if (!verified) rmSync(join(folder, testPath(module)));
  commitRepository(folder);
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
