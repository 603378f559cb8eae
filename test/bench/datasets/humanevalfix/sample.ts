import type { Problem } from '../../../../bench/datasets/humanevalfix/problems.ts';

/** One line of a problem file. */
export function recordOf(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    task_id: 'Sample/0',
    declaration: '\nconst sumTo = (limit) => {\n',
    buggy_solution: '  let sum = 0;\n  for (let i = 1; i < limit; i++) sum += i;\n  return sum;\n}\n\n',
    test: 'const testSumTo = () => {\n  console.assert(sumTo(4) === 10)\n  console.assert(sumTo(10) === 55)\n}\n\ntestSumTo()\n',
    example_test: 'const testSumTo = () => {\n  console.assert(sumTo(3) === 6)\n}\ntestSumTo()\n',
    docstring: 'The sum of the numbers from 1 to the limit.',
    entry_point: 'sumTo',
    bug_type: 'operator misuse',
    ...changes,
  };
}

export function problemOf(changes: Partial<Problem> = {}): Problem {
  const record = recordOf() as Record<string, string>;
  return {
    taskId: record['task_id']!,
    declaration: record['declaration']!,
    buggySolution: record['buggy_solution']!,
    test: record['test']!,
    exampleTest: record['example_test']!,
    docstring: record['docstring']!,
    entryPoint: record['entry_point']!,
    bugType: record['bug_type']!,
    ...changes,
  };
}

/** Tests that no single edit satisfies. */
export const HOPELESS_TESTS =
  "const t = () => {\n  console.assert(sumTo(1) === 'qzx8')\n  console.assert(sumTo(2) === 'jkw5')\n  console.assert(sumTo(3) === 'vvf2')\n}\nt()\n";
