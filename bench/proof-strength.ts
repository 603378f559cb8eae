/**
 * Measures the meter of proofs: `node bench/proof-strength.ts`. 30 planted cases, in each of which the tests hold or miss
 * a thing by construction; then the time of a one-function change in a vitest repository of 500 tests.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { makeTemporaryFolder, removeTemporaryFolder } from '../src/platform/files/temporary-folder.ts';
import type { ProofStrength, SurvivingMutant } from '../src/schema/generated.ts';
import { CASES, type PlantedCase } from './proof-strength/cases.ts';
import { argsOf, binOf, measureStrength, type Runner } from './proof-strength/measured-repository.ts';
import { time } from './measure.ts';

const RUNNERS: readonly Runner[] = ['node', 'vitest', 'mocha', 'jest'];
const HEADS: Readonly<Record<Runner, string>> = {
  node: "import { test } from 'node:test';",
  vitest: "import { test } from 'vitest';",
  mocha: "import { it as test } from 'mocha';",
  jest: "const { test } = require('@jest/globals');",
};
const TIMEOUT_MS = 120_000;

interface Sources {
  readonly base: Record<string, string>;
  readonly result: Record<string, string>;
  readonly file: string;
}

/** Every second runner that can is given TypeScript. */
function sourcesOf({ params, body, held, missed }: PlantedCase, at: number, holds: boolean): Sources {
  const runner = runnerOf(at);
  const isTyped = runner !== 'jest' && at % 8 < 4;
  const file = isTyped ? 'src/f.ts' : 'src/f.js';
  const isModule = runner !== 'jest';
  const named = params.map((name) => (isTyped ? `${name}: any` : name)).join(', ');
  const source = (lines: readonly string[]): string =>
    [
      `${isModule ? 'export ' : ''}function f(${named}) {`,
      ...lines.map((line) => `  ${line}`),
      `}\n${isModule ? '' : 'module.exports = { f };\n'}`,
    ].join('\n');
  const head = isModule
    ? `import assert from 'node:assert/strict';\nimport { f } from '../${file}';`
    : `const assert = require('node:assert/strict');\nconst { f } = require('../${file}');`;
  const base = {
    'package.json': JSON.stringify({ name: 'planted', type: isModule ? 'module' : 'commonjs' }),
    'test/f.test.js': `${HEADS[runner]}\n${head}\ntest('f', () => { ${holds ? held : missed} });\n`,
    [file]: source(["throw new Error('not written');"]),
  };
  return { base, result: { [file]: source(body) }, file };
}

function runnerOf(at: number): Runner {
  return RUNNERS[at % RUNNERS.length]!;
}

/** Whether the planted miss is named. */
function isNamed({ line, planted }: PlantedCase, { survivors, unexecuted }: ProofStrength): boolean {
  if (planted === undefined) return unexecuted.some((missed) => missed.line === line);
  return survivors.some((survivor) => survivor.line === line && planted.test(survivor.after));
}

/** Survivors that the runner itself catches when the change is made by hand. */
function wronglyNamed(
  root: string,
  runner: Runner,
  survivors: readonly SurvivingMutant[],
): SurvivingMutant[] {
  return survivors.filter(({ file, line, before, after }) => {
    const path = join(root, file);
    const text = readFileSync(path, 'utf8');
    const lines = text.split('\n');
    lines[line - 1] = lines[line - 1]!.replace(before, () => (after === '(removed)' ? '' : after));
    writeFileSync(path, lines.join('\n'));
    const bin = binOf(runner);
    const mode = runner === 'node' ? ['--test'] : runner === 'vitest' ? [bin!, 'run'] : [bin!];
    const options = { cwd: root, reject: false, stdin: 'ignore' } as const;
    const { exitCode } = execaSync(process.execPath, [...mode, ...argsOf(runner)], options);
    writeFileSync(path, text);
    return lines.join('\n') !== text && exitCode !== 0;
  });
}

async function measureCases(): Promise<string> {
  let named = 0;
  let wrong = 0;
  let tried = 0;
  for (const [index, planted] of CASES.entries()) {
    for (const holds of [true, false]) {
      const at = index * 2 + (holds ? 0 : 1) + (index >> 1);
      const folder = makeTemporaryFolder('bench-strength');
      const root = join(folder, 'repository');
      const runner = runnerOf(at);
      try {
        mkdirSync(root);
        const { file, ...files } = sourcesOf(planted, at, holds);
        const strength = await measureStrength({ root, runner, ...files }, TIMEOUT_MS);
        const caught = wronglyNamed(root, runner, strength.survivors);
        const isMiss = isNamed(planted, strength);
        tried += strength.tried;
        named += Number(!holds && isMiss);
        wrong += caught.length + Number(holds && isMiss);
        if (holds === isMiss || caught.length > 0 || !strength.complete) {
          console.log(
            `${planted.name}, ${runner}, ${file}, ${holds ? 'held' : 'missed'}: ${JSON.stringify(strength)}`,
          );
        }
      } finally {
        removeTemporaryFolder(folder);
      }
    }
  }
  return `proof     misses named ${named} of ${CASES.length}, caught called a miss ${wrong} (${CASES.length * 2} cases, ${tried} mutants)`;
}

const FILES = 50;
const TESTS = 10;

/** Fifty files of ten tests; one function of one file changes. */
async function measureTime(): Promise<string> {
  const folder = makeTemporaryFolder('bench-strength');
  const root = join(folder, 'repository');
  try {
    mkdirSync(root);
    const base: Record<string, string> = { 'package.json': '{"name":"many","type":"module"}' };
    for (let file = 0; file < FILES; file++) {
      base[`src/m${file}.ts`] =
        `export function slug(text: string): string {\n  return text;\n}\nexport const size = (text: string): number => text.length + ${file};\n`;
      const tests = Array.from(
        { length: TESTS },
        (_, test) => `it('size ${test}', () => expect(size('${'x'.repeat(test)}')).toBe(${test + file}));\n`,
      );
      base[`test/m${file}.test.ts`] =
        `import { expect, it } from 'vitest';\nimport { size, slug } from '../src/m${file}.ts';\n` +
        tests.join('');
    }
    base['test/m7.test.ts'] +=
      `it('slug', () => expect(slug(' One two  three four ', 3)).toBe('one-two-three'));\nit('whole', () => expect(slug('One')).toBe('one'));\n`;
    const result = {
      'src/m7.ts': `export function slug(text: string, most = 5): string {\n  const words = text.trim().toLowerCase().split(/\\s+/);\n  const kept = words.filter((word) => word !== '').slice(0, most);\n  return kept.join('-');\n}\nexport const size = (text: string): number => text.length + 7;\n`,
    };
    const strength = await measureStrength({ root, runner: 'vitest', base, result }, 20_000);
    const { ms } = await time(process.execPath, [binOf('vitest')!, 'run'], root);
    const { tried, caught, survivors, complete, duration_ms } = strength;
    const seconds = (duration_ms / 1000).toFixed(1);
    return `proof     one function, ${FILES * TESTS + 2} vitest tests: ${seconds} s, ${(duration_ms / ms).toFixed(1)} runs of the test command (${(ms / 1000).toFixed(1)} s); ${caught} of ${tried} caught, ${survivors.length} run alone and named${complete ? '' : '; not complete'}`;
  } finally {
    removeTemporaryFolder(folder);
  }
}

console.log(await measureTime());
console.log(await measureCases());
