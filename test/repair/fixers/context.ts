import type { AttemptContext } from '../../../src/ports/attempt.ts';
import type { CheckPlan } from '../../../src/ports/plan.ts';
import type { Diagnostic } from '../../../src/schema/generated.ts';

/** The plan of a check of the repository's root. */
export function checkPlan(plan: Pick<CheckPlan, 'name' | 'tool' | 'bin'> & Partial<CheckPlan>): CheckPlan {
  return {
    kind: plan.tool === 'tsc' ? 'types' : 'lint',
    cwd: '.',
    args: [],
    setup: [],
    weight: 0.2,
    source: 'package.json',
    ...plan,
  };
}

/** A context whose evaluation has one error of the check in each of the files. */
export function contextWith(root: string, { name }: CheckPlan, files: readonly string[]): AttemptContext {
  const diagnostics = files.map((file): Diagnostic => ({
    type: 'lint_error',
    message: 'an error',
    severity: 'error',
    check: name,
    fingerprint: '0123456789ab',
    file,
  }));
  return {
    loopId: 'ralph-test',
    iteration: 1,
    task: '',
    root,
    project: { repository: root, packageDir: '.', checks: [], notes: [] },
    evaluation: { diagnostics, checks: [], tests: [] },
    reflections: [],
    signal: new AbortController().signal,
    onProgress: () => {},
  } as unknown as AttemptContext;
}
