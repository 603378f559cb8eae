import type { CanaryDialect } from '../../tools.ts';

/** Names of the tests that are appended to a copy of a test file. */
export interface CanaryNames {
  /** Name of a test that must pass: it shows that the file was loaded and that its tests run. */
  readonly control: string;
  /** Prefix of the names of tests that must fail. */
  readonly canary: string;
}

/** The names that contain a nonce (hex digits). */
export function canaryNames(nonce: string): CanaryNames {
  return { control: `control ${nonce}`, canary: `canary ${nonce}` };
}

/** Names without a pattern, for canaries beside the tests themselves. `word`: letters. */
export function plainNames(word: string): CanaryNames {
  return { control: word, canary: `${word} ` };
}

/**
 * Source text of one passing test and of tests that must fail: by each common assertion of the dialect, and by a
 * plain throw. It is appended to a test file, so that the file's imports and tests have taken effect before it.
 */
export function renderCanaries(
  { bind, assertions }: CanaryDialect,
  nonce: string,
  { control, canary }: CanaryNames = canaryNames(nonce),
): string {
  const [test, expect] = [`test_${nonce}`, `expect_${nonce}`];
  const failing = assertions === 'expect' ? expectCalls(expect, nonce) : assertCalls(nonce);
  const tests = [...failing, `throw new Error('${nonce}');`].map(
    (body, index) => `${test}('${canary} ${index}', () => { ${body} });`,
  );
  return ['', bind(test, expect), `${test}('${control}', () => {});`, ...tests, ''].join('\n');
}

function assertCalls(nonce: string): string[] {
  const modules = [
    "process.getBuiltinModule('node:assert')",
    "process.getBuiltinModule('node:assert').strict",
  ];
  return modules.flatMap((assert) => [
    `${assert}.equal(1, '${nonce}');`,
    `${assert}.strictEqual(1, '${nonce}');`,
    `${assert}.deepEqual({ value: 1 }, { value: '${nonce}' });`,
    `${assert}.deepStrictEqual({ value: 1 }, { value: '${nonce}' });`,
    `${assert}.ok(false, '${nonce}');`,
    `${assert}.throws(() => {}, undefined, '${nonce}');`,
  ]);
}

function expectCalls(expect: string, nonce: string): string[] {
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
