import type { CheckPlan } from '../ports.ts';

/** Names of the tests that are put behind a copy of a test file. */
export interface CanaryNames {
  /** Must pass: the file was loaded, and its tests do run. */
  readonly control: string;
  /** Each test whose name begins so must fail. */
  readonly canary: string;
}

type Runner = Extract<CheckPlan['tool'], 'node' | 'mocha' | 'vitest' | 'jest'>;

/** Runners whose tests the canaries can be written for. */
export function hasCanaries(tool: CheckPlan['tool']): tool is Runner {
  return tool === 'node' || tool === 'mocha' || tool === 'vitest' || tool === 'jest';
}

export function canaryNames(nonce: string): CanaryNames {
  return { control: `control ${nonce}`, canary: `canary ${nonce}` };
}

/**
 * Source text of tests that must fail: every way to assert that tests of this runner commonly use, and a plain
 * throw. They stand at the end of a test file, so that whatever its imports and its tests have done is done.
 */
export function canaryCode(tool: Runner, nonce: string): string {
  const { control, canary } = canaryNames(nonce);
  const id = (name: string): string => `${name}_${nonce}`;
  const [test, expect] = [id('test'), id('expect')];
  const head: Record<Runner, string> = {
    node: `const ${test} = process.getBuiltinModule('node:test').test;`,
    mocha: `const ${test} = globalThis.it ?? globalThis.test;`,
    vitest: `import { test as ${test}, expect as ${expect} } from 'vitest';`,
    jest: `const ${test} = globalThis.test ?? require('@jest/globals').test, ${expect} = globalThis.expect ?? require('@jest/globals').expect;`,
  };
  const bodies = tool === 'vitest' || tool === 'jest' ? expecting(expect, nonce) : asserting(nonce);
  const tests = [...bodies, `throw new Error('${nonce}');`].map(
    (body, index) => `${test}('${canary} ${index}', () => { ${body} });`,
  );
  return ['', head[tool], `${test}('${control}', () => {});`, ...tests, ''].join('\n');
}

function asserting(nonce: string): string[] {
  const places = [
    "process.getBuiltinModule('node:assert')",
    "process.getBuiltinModule('node:assert').strict",
  ];
  return places.flatMap((assert) => [
    `${assert}.equal(1, '${nonce}');`,
    `${assert}.strictEqual(1, '${nonce}');`,
    `${assert}.deepEqual({ value: 1 }, { value: '${nonce}' });`,
    `${assert}.deepStrictEqual({ value: 1 }, { value: '${nonce}' });`,
    `${assert}.ok(false, '${nonce}');`,
    `${assert}.throws(() => {}, undefined, '${nonce}');`,
  ]);
}

function expecting(expect: string, nonce: string): string[] {
  return [
    `${expect}(1).toBe('${nonce}');`,
    `${expect}({ value: 1 }).toEqual({ value: '${nonce}' });`,
    `${expect}({ value: 1 }).toStrictEqual({ value: '${nonce}' });`,
    `${expect}({ value: 1 }).toMatchObject({ value: '${nonce}' });`,
    `${expect}([1]).toContain('${nonce}');`,
    `${expect}(1).toBeNull();`,
    `${expect}(() => {}).toThrow();`,
    `${expect}(1).not.toBe(1);`,
  ];
}
