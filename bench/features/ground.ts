import type { Feature } from './features.ts';

/** Where a feature goes in a repository, and how its files look there. */
export interface Ground {
  readonly name: string;
  /** Folder in which ralph is started, relative to the repository's root; it ends with a slash unless empty. */
  readonly folder: string;
  /** Path of the new module, relative to the repository's root. */
  readonly source: (feature: Feature) => string;
  /** Path of the new test file, relative to the repository's root. */
  readonly test: (feature: Feature) => string;
  readonly renderSource: (feature: Feature, body: string) => string;
  readonly renderTest: (feature: Feature) => string;
}

/** Name of a feature's files: `count-vowels` for `countVowels`. */
function fileOf({ name }: Pick<Feature, 'name'>): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function titleOf(index: number): string {
  return `case ${index + 1}`;
}

/** TypeScript with vitest: `src/name.ts`, `test/name.test.ts`. */
export const VITEST: Ground = {
  name: 'vitest',
  folder: '',
  source: (feature) => `src/${fileOf(feature)}.ts`,
  test: (feature) => `test/${fileOf(feature)}.test.ts`,
  renderSource: ({ name }, body) => `export function ${name}(value: string) {\n  return ${body};\n}\n`,
  renderTest: ({ name, cases }) =>
    [
      "import { expect, test } from 'vitest';",
      `import { ${name} } from '../src/${fileOf({ name })}';`,
      '',
      ...cases.map(
        ([args, result], index) =>
          `test('${titleOf(index)}', () => {\n  expect(${name}(${args})).toBe(${result});\n});`,
      ),
      '',
    ].join('\n'),
};

/** JavaScript modules with node:test: `lib/name.js`, `tests/name.test.js`. */
export const NODE_TEST: Ground = {
  name: 'node:test',
  folder: '',
  source: (feature) => `lib/${fileOf(feature)}.js`,
  test: (feature) => `tests/${fileOf(feature)}.test.js`,
  renderSource: ({ name }, body) => `export function ${name}(value) {\n  return ${body};\n}\n`,
  renderTest: ({ name, cases }) =>
    [
      "import { test } from 'node:test';",
      "import assert from 'node:assert/strict';",
      `import { ${name} } from '../lib/${fileOf({ name })}.js';`,
      '',
      ...cases.map(
        ([args, result], index) =>
          `test('${titleOf(index)}', () => {\n  assert.equal(${name}(${args}), ${result});\n});`,
      ),
      '',
    ].join('\n'),
};

/** The package of a monorepo, JavaScript with mocha: `packages/NAME/src/name.js`, `packages/NAME/tests/name.test.js`. */
export function mochaPackage(packageName: string): Ground {
  const folder = `packages/${packageName}/`;
  return {
    ...NODE_TEST,
    name: 'mocha, in a monorepo',
    folder,
    source: (feature) => `${folder}src/${fileOf(feature)}.js`,
    test: (feature) => `${folder}tests/${fileOf(feature)}.test.js`,
    renderTest: ({ name, cases }) =>
      [
        'import assert from "node:assert";',
        `import { ${name} } from "../src/${fileOf({ name })}.js";`,
        '',
        `describe("${name}", () => {`,
        ...cases.map(
          ([args, result], index) =>
            `\tit("${titleOf(index)}", () => {\n\t\tassert.strictEqual(${name}(${args}), ${result});\n\t});`,
        ),
        '});',
        '',
      ].join('\n'),
  };
}
