/** Whether a test file holds tests of types, such as `a.test-d.ts`: they are checked and never run. */
export function isTypeTest(file: string): boolean {
  return /[.-](test|spec)-d\.[cm]?tsx?$|\.tst\.[cm]?tsx?$/.test(file);
}
