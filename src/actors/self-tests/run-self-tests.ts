import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AttemptContext, CheckReport } from '../../ports.ts';
import type { WrittenTests } from './write-self-tests.ts';

export interface SelfTestRun {
  readonly passed: number;
  readonly failures: readonly { readonly title: string; readonly message: string }[];
}

const MAX_MESSAGE_CHARS = 800;

/** Runs the tests on the tree as it is; their file is there meanwhile and never longer. */
export async function runSelfTests(
  { bench, root, signal }: AttemptContext,
  { check, count, file, text }: WrittenTests,
): Promise<SelfTestRun> {
  const path = join(root, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { flag: 'wx' });
  try {
    return resultOf(await bench.run(check, { files: [file], signal }), count);
  } finally {
    await rm(path, { force: true });
  }
}

/** Tests that did not run at all (an import that fails, say) have not passed. */
function resultOf({ diagnostics, tests }: CheckReport, count: number): SelfTestRun {
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const failures = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ rule, type, message }) => ({
      title: rule ?? type,
      message: message.slice(0, MAX_MESSAGE_CHARS),
    }));
  return { passed: Math.min(passed, count), failures };
}
