import { describe, expect, it } from 'vitest';
import { createDiagnostic } from '../../../src/checks/results/diagnostics.ts';
import { createTreePaths } from '../../../src/checks/results/tree-paths.ts';

const paths = createTreePaths('/home/me/app', '/home/me/app');

function stackOf(stack: string): string | undefined {
  return createDiagnostic({ type: 'test_failure', check: 'tests', message: 'no', stack }, paths).stack_trace;
}

describe("a diagnostic's stack", () => {
  it('keeps the frames of the repository, with relative paths', () => {
    const stack =
      'Error: no\n    at f (/home/me/app/src/a.ts:3:1)\n    at file:///home/me/app/test/a.test.ts:9:2';
    expect(stackOf(stack)).toBe('Error: no\n    at f (src/a.ts:3:1)\n    at test/a.test.ts:9:2');
  });

  it.each([
    '    at run (file:///home/me/other/node_modules/runner/dist/index.js:3:1)',
    '    at run (/home/me/app/node_modules/runner/index.js:3:1)',
    '    at process.processTicksAndRejections (node:internal/process/task_queues:103:5)',
    '    at /usr/lib/tool.js:1:1',
  ])('leaves out %s', (frame) => {
    expect(stackOf(`Error: no\n    at src/a.ts:3:1\n${frame}`)).toBe('Error: no\n    at src/a.ts:3:1');
  });
});
