/** What is said of how an attempt ended, of line ends, and of which edit a new failure ran. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lessonClaimsOf } from '../../../src/prompts/lesson-claims.ts';
import { reflectByRules } from '../../../src/agents/reflectors/rules.ts';
import type { ReflectionInput } from '../../../src/ports/reflection.ts';
import type { Action } from '../../../src/schema/generated.ts';
import { temporaryFolder } from '../../support/repositories.ts';
import { failure, inputOf, remembered, type Scenario } from './scenario.ts';

const idle = { edits: {}, actions: [] } as const;
const textOf = (scenario: Scenario): string => reflectByRules(inputOf(scenario)).reflection_text;

describe('the end of an attempt', () => {
  it('at a time limit is said although it left edits', () => {
    expect(textOf({ trajectory: { outcome: 'timed_out' } })).toMatch(
      /^In attempt 1 I changed .* at src\/range\.ts:12; the actor was stopped at a time limit\.\n/,
    );
    expect(textOf({})).not.toContain('time limit');
  });

  it.each([
    "I'm sorry, but I can't help with that.",
    'I cannot assist with this request.',
    'Sorry, I am unable to comply.',
    'Unfortunately, I won’t continue with this task.',
    'The model or its provider refused to answer.',
    'A filter ended the reply, or the model refused to answer. Its last text: Here is',
  ])('by a refusal is called one: %j', (message) => {
    const scenario: Scenario = {
      ...idle,
      trajectory: { actor: 'react', outcome: 'claimed_done', message, rationale: message },
    };
    const { reflection_text: text, credit_assignment: credit } = reflectByRules(inputOf(scenario));
    expect(text).toContain(
      `I changed no file: the model or its provider refused to answer ("${message.replace(/\.$/, '')}")`,
    );
    expect(credit.failure_category).toBe('other');
  });

  it.each([
    'I am done. Nothing to say.',
    'I can’t help but notice that the test is wrong.',
    'The bound cannot be changed; I fixed it elsewhere.',
  ])('without a refusal is not called one, and is not quoted: %j', (message) => {
    const text = textOf({ ...idle, trajectory: { actor: 'react', outcome: 'claimed_done', message } });
    expect(text).toContain('I changed no file: the actor ended as if it were done.');
    expect(text).not.toContain(message.slice(0, 12));
  });

  it('of a search that finds a package missing is not called silence', () => {
    const message = "The environment, not the code, is at fault: Cannot find module 'left-pad'";
    const missing = failure({ message: "Cannot find module 'left-pad'" });
    const scenario: Scenario = {
      ...idle,
      before: [missing],
      trajectory: { actor: 'search', outcome: 'gave_up', message, rationale: '' },
    };
    const reflection = reflectByRules(inputOf(scenario));
    expect(reflection.reflection_text).toContain(`I changed no file: the actor ended ("${message}")`);
    expect(reflection.actionable_insights[0]).toBe(
      'Work without the package "left-pad", which cannot be found.',
    );
    expect(reflection.credit_assignment.failure_category).toBe('configuration_error');
  });
});

it('tells changed line ends from the code that changed, and draws no lesson from both', () => {
  const code = ['let sum = 0;', 'sum += line.price;', 'return sum;'];
  const changed = code.map((line) => `${line.replace('price', 'qty')}\r`);
  const input = inputOf({
    before: [failure({ test_id: 'a' })],
    edits: { 'lib/cart.js': [code.join('\n-'), changed.join('\n+')] },
  });
  const patch = input.patch.replace(/^@@.*$/m, '@@ -10,6 +10,6 @@');
  const { reflection_text: text } = reflectByRules({ ...input, patch });
  expect(text.split('\n')[0]).toBe(
    'In attempt 1 I changed the ends of 3 lines in lib/cart.js to CRLF and I changed `sum += line.price;` to `sum += line.qty;` at lib/cart.js:13.',
  );
  expect(lessonClaimsOf({ ...input, patch, ranBy: 'any' })).toEqual([]);
  const plain = patch.replaceAll('\r', '');
  expect(reflectByRules({ ...input, patch: plain }).reflection_text).not.toContain('the ends of');
  expect(lessonClaimsOf({ ...input, patch: plain, ranBy: 'any' })).toHaveLength(1);
});

describe('an attempt that fixed one test and broke another', () => {
  const fee = failure({
    test_id: 'fee',
    rule: 'fee',
    file: 'test/fees.test.js',
    fingerprint: 'aaaaaaaaaaaa',
  });
  const format = failure({
    test_id: 'format',
    rule: 'format',
    file: 'test/fees.test.js',
    fingerprint: 'bbbbbbbbbbbb',
  });
  const edits = { 'src/fees.js': ['a', 'b'], 'src/money.js': ['c', 'd'] } as const;
  const given = inputOf({
    before: [fee],
    after: [format],
    edits,
    evaluation: {
      tests: [
        { id: 'fee', name: 'fee', status: 'passed' },
        { id: 'format', name: 'format', status: 'failed' },
      ],
    },
    actions: Object.keys(edits).map((file) => ({
      type: 'code_modification' as const,
      description: 'Edited',
      file_path: file,
    })),
  });
  const previous = {
    ...given.previous,
    tests: [{ id: 'format', name: 'format', status: 'passed' as const }],
  };
  const loop = {
    root: '/nowhere',
    reflections: [],
    sameTree: [],
    sameChange: [],
    next: { from: 0, evaluation: previous },
  };
  const traced = (file: string): ReflectionInput => ({
    ...given,
    previous,
    loop,
    trace: { testId: 'format', ran: [{ file, line: 12 }], missed: [], unknown: [], values: [] },
  });

  it('is blamed for the edit that the new failure ran, and the other one is to be made again', () => {
    const reflection = reflectByRules(traced('src/money.js'));
    expect(reflection.credit_assignment.failing_action_indices).toEqual([1]);
    expect(reflection.causal_reasoning).toBe('Action [1] edited lines that the test of a new failure ran.');
    expect(reflection.actionable_insights).toEqual([
      'Make the change of attempt 1 again, which fixed the test "fee", without its edit of src/money.js, which the test "format" ran.',
    ]);
  });

  it('is not to be made again where tests of the start did not run', () => {
    const { evaluation } = given;
    const cut = { ...evaluation, missing_tests: ['another'] };
    const { actionable_insights: steps } = reflectByRules({ ...given, evaluation: cut, previous, loop });
    expect(steps[0]).not.toContain('again');
  });

  it('is not blamed for an edit that it took back itself', () => {
    const diff = (before: string, after: string): Action => ({
      ...{ type: 'code_modification', description: 'Edited', file_path: 'src/money.js' },
      changes: { diff: `@@ -12 +12 @@\n-${before}\n+${after}` },
    });
    const actions = [diff('c', 'd'), diff('e', 'f'), diff('f', 'e')];
    const { failing_action_indices: blamed } = reflectByRules({
      ...traced('src/money.js'),
      trajectory: { ...given.trajectory, actions },
    }).credit_assignment;
    expect(blamed).toEqual([0]);
  });

  it('is blamed for both where nothing was traced', () => {
    const { credit_assignment: credit, actionable_insights: steps } = reflectByRules({
      ...given,
      previous,
      loop,
    });
    expect(credit.failing_action_indices).toEqual([0, 1]);
    expect(steps).toEqual([
      'Make the change of attempt 1 again, which fixed the test "fee", one edit at a time, to see with which of them the test "format" fails.',
    ]);
  });
});

it('sends nobody to a file that the failing test does not use', () => {
  const root = temporaryFolder();
  const put = (file: string, text: string): void => {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  put('src/fees.js', 'exports.lateFee = (days) => String(days);\n');
  put('src/money.js', 'exports.format = (cents) => String(cents);\n');
  const lines = [
    "const { lateFee } = require('../src/fees.js');",
    "const { format } = require('../src/money.js');",
    "test('late', () => {",
    '  expect(lateFee(3)).toBe(6);',
    '});',
    "test('format', () => {",
    "  expect(format(1)).toBe('1');",
    '});',
  ];
  put('test/fees.test.js', lines.join('\n'));
  const steps = (line: number): string[] => {
    const lead = failure({
      test_id: 'x',
      rule: 'x',
      file: 'test/fees.test.js',
      line,
      expected: '6',
      received: '"6"',
    });
    const told: string[] = [];
    // One attempt after another with the same failure, each with the next step.
    for (let iteration = 1; iteration <= 6; iteration++) {
      const input = inputOf({ iteration, before: [lead], edits: { 'src/other.js': ['a', `b${iteration}`] } });
      const evaluation = input.evaluation;
      const reflections = told.map((step, index) => earlier(index, step, lead));
      const loop = { root, reflections, sameTree: [], sameChange: [], next: { from: iteration, evaluation } };
      told.push(reflectByRules({ ...input, loop }).actionable_insights[0]!);
    }
    return told;
  };
  expect(steps(4).some((step) => step.includes('receives from src/fees.js,'))).toBe(true);
  expect(steps(4).some((step) => step.includes('src/money.js'))).toBe(false);
  expect(steps(7).some((step) => step.includes('receives from src/money.js,'))).toBe(true);
});

function earlier(iteration: number, step: string, lead: ReturnType<typeof failure>) {
  const input = inputOf({ iteration: iteration + 1, before: [lead] });
  const reflection = { ...reflectByRules(input), actionable_insights: [step] };
  return remembered(input, reflection);
}
