/** What the rules advise and blame is there, in the tree that the next attempt starts from. */
import { expect, it } from 'vitest';
import { reflectByRules } from '../../../src/agents/reflectors/rules.ts';
import type { ReflectionInput } from '../../../src/ports/reflection.ts';
import type { Diagnostic } from '../../../src/schema/generated.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';
import { failure, firstLoop, inputOf, type Scenario } from './scenario.ts';

function inTree(files: Readonly<Record<string, string>>, scenario: Scenario): ReflectionInput {
  const root = temporaryFolder();
  writeFiles(root, files);
  const input = inputOf(scenario);
  return { ...input, loop: firstLoop(root, input) };
}

const stepOf = (input: ReflectionInput): string => reflectByRules(input).actionable_insights[0]!;

it('takes a file of the repository for no package', () => {
  const missing = failure({
    ...{ type: 'runtime_error', rule: '(file)', file: 'runtime.js', line: undefined },
    message: "Cannot find module 'runtime' imported from node_modules/mocha/lib/esm-utils.js",
  });
  const scenario = { before: [missing], after: [missing] };
  expect(stepOf(inTree({ 'runtime.js': '' }, scenario))).toMatch(/^Find out why runtime\.js, which exists/);
  expect(stepOf(inTree({}, scenario))).toBe('Work without the package "runtime", which cannot be found.');
});

it('reads the output of the tree that the next attempt starts from', () => {
  const printed = failure({ type: 'other', check: 'one', file: undefined, line: undefined, rule: undefined });
  const check = { name: 'one', kind: 'command', tool: 'command', command: 'node check.mjs' } as const;
  const input = inTree({}, { before: [printed], checks: [{ ...check, output: 'Killed.' }] });
  const next = { ...input.previous, checks: [{ ...input.evaluation.checks[0]!, output: 'b is 2' }] };
  const rolledBack = { ...input, loop: { ...input.loop!, next: { from: 0, evaluation: next } } };
  expect(stepOf(rolledBack)).toBe('Run `node check.mjs` and read its output: b is 2.');
});

it('names the undeclared name of the failing line, and no name that is not in it', () => {
  const crash = (name: string): Diagnostic =>
    failure({ file: 'src/tax.js', line: 1, message: `ReferenceError: ${name} is not defined` });
  const stepFor = (name: string): string =>
    stepOf(inTree({ 'src/tax.js': 'return Mth.round(net);\n' }, { after: [crash(name)] }));
  expect(stepFor('Mth')).toBe(
    'declare `Mth`, or correct the name, in `return Mth.round(net);` at src/tax.js:1.',
  );
  expect(stepFor('M')).not.toContain('declare');
});

it('works on a file without tests last', () => {
  const table = failure({
    ...{ type: 'runtime_error', rule: '(file)', file: 'src/cases.spec.ts', line: undefined },
    message: 'Error: No test suite found in file src/cases.spec.ts',
  });
  const input = inTree({}, { before: [table, failure()], after: [table, failure()] });
  expect(reflectByRules(input).reflection_text).not.toContain('src/cases.spec.ts');
});

it('advises no other model where there is none', () => {
  const timedOut = (actor: string): string =>
    stepOf(inputOf({ edits: {}, trajectory: { actor, outcome: 'timed_out', message: 'late' } }));
  expect(timedOut('command')).toMatch(/it needs a longer limit\.$/);
  expect(timedOut('react')).toMatch(/longer limit or another model\.$/);
});

it('blames the only edit of an attempt that improved, where the test that it broke ran it', () => {
  const [mended, broken] = ['mended', 'broken'].map((name) =>
    failure({ rule: name, test_id: `test/a.test.ts > ${name}` }),
  ) as [Diagnostic, Diagnostic];
  const tests = [mended, broken].map(({ test_id: id }) => ({
    id: id!,
    name: id!,
    status: 'passed' as const,
  }));
  const scenario = { before: [mended], after: [broken], rewards: [0.5, 0.7] } as const;
  const base = inputOf({ ...scenario, evaluation: { tests: [tests[0]!] } });
  const input = { ...base, previous: { ...base.previous, tests } };
  const line = { file: 'src/range.ts', line: 12 };
  const trace = { testId: broken.test_id!, ran: [line], missed: [], unknown: [], values: [] };
  const blamed = reflectByRules({ ...input, trace });
  expect(blamed.credit_assignment.failing_action_indices).toEqual([0]);
  expect(blamed.causal_reasoning).toBe('Action [0] edited lines that the test of a new failure ran.');
  expect(reflectByRules(input).causal_reasoning).toMatch(/^No action is blamed/);
});

it('finds no new cause for a failure that is as before', () => {
  const old = failure({ type: 'other', rule: undefined, file: 'src/range.ts', line: 12, message: 'a is 1' });
  const same = reflectByRules(inputOf({ before: [old], after: [{ ...old }] }));
  expect(same.credit_assignment.root_cause).toMatch(/^The cause is not known/);
  expect(same.reflection_text).not.toContain('line that this attempt wrote');
  const fresh = reflectByRules(inputOf({ before: [], after: [old] }));
  expect(JSON.stringify(fresh)).toContain('line that this attempt wrote');
});
