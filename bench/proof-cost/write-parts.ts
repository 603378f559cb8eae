import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The test runner of a written repository. */
export type PartsRunner = 'node' | 'vitest';

interface Parts {
  /** The file with the fault, relative to the folder. */
  readonly broken: string;
  /** A command line that repairs it. */
  readonly repair: string;
}

const GROUP = 4;
const SCALED = [0, 1, 3, 7, 20];
const CLAMPED = [
  [5, 0, 10],
  [-3, 0, 10],
  [12, 0, 10],
  [4, 4, 4],
] as const;
const TEXTS = ['one two', '  the quick  brown fox ', 'a bb ccc'];

/**
 * Writes a package of `files` sources, each with a test file of 12 or 13 tests; four sources import one after the other. A
 * comparison in the one in the middle is wrong.
 */
export function writeParts(
  folder: string,
  { runner, files }: { readonly runner: PartsRunner; readonly files: number },
): Parts {
  for (const part of ['src', 'test']) mkdirSync(join(folder, part));
  const script = runner === 'vitest' ? 'vitest run' : 'node --test';
  const manifest = { name: 'parts', version: '1.0.0', type: 'module', scripts: { test: script } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const fault = Math.floor(files / 2);
  for (let part = 0; part < files; part++) {
    writeFileSync(join(folder, 'src', `part${part}.js`), sourceOf(part, part === fault));
    writeFileSync(join(folder, 'test', `part${part}.test.js`), testOf(part, runner));
  }
  const broken = `src/part${fault}.js`;
  return { broken, repair: `sed -i 's/value < high/value > high/' ${broken}` };
}

function sourceOf(part: number, isBroken: boolean): string {
  const isFirst = part % GROUP === 0;
  return [
    ...(isFirst ? [] : [`import { scale${part - 1} } from './part${part - 1}.js';\n`]),
    `export function scale${part}(value) {`,
    isFirst ? `  return value * ${part + 2};` : `  return scale${part - 1}(value) + ${part};`,
    '}\n',
    `export function clamp${part}(value, low, high) {`,
    '  if (value < low) return low;',
    `  if (value ${isBroken ? '<' : '>'} high) return high;`,
    '  return value;',
    '}\n',
    `export function words${part}(text) {`,
    `  return text.trim().split(/\\s+/).filter((word) => word.length > ${part % 3});`,
    '}\n',
  ].join('\n');
}

function testOf(part: number, runner: PartsRunner): string {
  const head =
    runner === 'vitest'
      ? "import { describe, expect, test } from 'vitest';"
      : "import assert from 'node:assert/strict';\nimport { describe, test } from 'node:test';";
  const compare = (call: string, value: unknown): string =>
    runner === 'vitest'
      ? `expect(${call}).toEqual(${JSON.stringify(value)});`
      : `assert.deepEqual(${call}, ${JSON.stringify(value)});`;
  const test = (title: string, call: string, value: unknown): string =>
    `  test(${JSON.stringify(title)}, () => {\n    ${compare(call, value)}\n  });`;
  const texts = part % 2 === 0 ? TEXTS : [...TEXTS, 'x'];
  return [
    head,
    `import { clamp${part}, scale${part}, words${part} } from '../src/part${part}.js';\n`,
    `describe('part ${part}', () => {`,
    ...SCALED.map((value) => test(`scales ${value}`, `scale${part}(${value})`, scaled(part, value))),
    ...CLAMPED.map(([value, low, high]) =>
      test(
        `clamps ${value} to ${low}..${high}`,
        `clamp${part}(${value}, ${low}, ${high})`,
        Math.max(low, Math.min(high, value)),
      ),
    ),
    ...texts.map((text) =>
      test(`splits ${text}`, `words${part}(${JSON.stringify(text)})`, wordsOf(part, text)),
    ),
    '});\n',
  ].join('\n');
}

function scaled(part: number, value: number): number {
  return part % GROUP === 0 ? value * (part + 2) : scaled(part - 1, value) + part;
}

function wordsOf(part: number, text: string): string[] {
  return text
    .trim()
    .split(/\s+/)
    .filter((word) => word.length > part % 3);
}
