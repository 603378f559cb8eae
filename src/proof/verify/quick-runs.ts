import type { TestCase } from '../../schema/generated.ts';

const QUICK_MS = 1_000;
/** Of a check whose tests all say that they are short. */
const QUICK_WHOLE_MS = 4_000;
const SHORT_TEST_MS = 300;

/** Whether a run of a check was so short that others may run beside it: no limit of a test can come near because of them. */
export function isQuick(
  { duration_ms: ms }: { readonly duration_ms: number },
  tests: readonly TestCase[] = [],
): boolean {
  if (ms <= QUICK_MS) return true;
  const ran = tests.filter(({ status }) => status !== 'skipped');
  return ms <= QUICK_WHOLE_MS && ran.length > 0 && ran.every(isShort);
}

function isShort({ duration_ms: ms = Infinity }: TestCase): boolean {
  return ms <= SHORT_TEST_MS;
}
