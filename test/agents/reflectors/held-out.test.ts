/** Sentences that were false, vague or empty in loops that neither the reflector nor its referee had been written for. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calleeAt, sourceLines } from '../../../src/agents/reflectors/source-lines.ts';
import { reflectByRules } from '../../../src/agents/reflectors/rules.ts';
import { lessonClaimsOf, renderLessonClaim } from '../../../src/prompts/lesson-claims.ts';
import type { LoopContext, ReflectionInput, SeenValue } from '../../../src/ports/reflection.ts';
import type { Diagnostic } from '../../../src/schema/generated.ts';
import { temporaryFolder } from '../../support/repositories.ts';
import { failure, inputOf, remembered, type Scenario } from './scenario.ts';

const sums = failure({ test_id: 'sums', rule: 'cart > sums', expected: '4', received: '3' });
const FILES = {
  'src/range.ts': `${'\n'.repeat(11)}while (i <= end - 1) {\n`,
  'src/queue.js': 'export class Queue {}\n',
  'test/range.test.ts': `import { Queue } from '../src/queue.js';\n${'\n'.repeat(6)}expect(new Queue().size).toBe(1);\n`,
};

/** An attempt of a loop over these files. `back`: the failures of the tree that it goes back to. */
function attempt(
  scenario: Scenario,
  { back, ...loop }: Partial<LoopContext> & { back?: readonly Diagnostic[] } = {},
): ReflectionInput {
  const input = inputOf({ iteration: 2, ...scenario });
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  // Failures of another evaluation are other objects, even where they are the same failures.
  const evaluation = inputOf({ before: back ?? [] }).previous;
  const next =
    back === undefined
      ? { from: 2, evaluation: input.evaluation }
      : {
          from: 1,
          evaluation: { ...evaluation, diagnostics: evaluation.diagnostics.map((one) => ({ ...one })) },
        };
  return { ...input, loop: { root, reflections: [], sameTree: [], sameChange: [], next, ...loop } };
}

const textOf = (input: ReflectionInput): string => reflectByRules(input).reflection_text;
const stepOf = (input: ReflectionInput): string => reflectByRules(input).actionable_insights[0]!;

describe('the change', () => {
  it('that touches only white space is told as such, and teaches nothing', () => {
    const lines: [string, string] = [
      `const a = [${'1, '.repeat(60)}];`,
      `const a = [${'1, '.repeat(60)}];\r`,
    ];
    const input = attempt({ edits: { 'src/range.ts': lines } });
    expect(textOf(input)).toContain('I changed only white space at src/range.ts:12');
    expect(lessonClaimsOf(input)).toEqual([]);
  });

  it('of white space in a string is shown, because it changes what the code does', () => {
    const input = attempt({ edits: { 'src/range.ts': ["join(',')", "join(' , ')"] } });
    expect(textOf(input)).toContain("I changed `join(',')` to `join(' , ')` at src/range.ts:12.");
  });

  it('of code with backticks is quoted with a longer fence', () => {
    const input = attempt({ before: [sums], edits: { 'src/range.ts': ['`${a}`', '`${b}`'] } });
    expect(textOf(input)).toContain('I changed `` `${a}` `` to `` `${b}` `` at src/range.ts:12.');
    expect(renderLessonClaim(lessonClaimsOf({ ...input, ranBy: 'any' })[0]!)).toContain(
      'changing `` `${a}` `` to `` `${b}` `` alone',
    );
  });

  it('of long lines is shown where they differ', () => {
    const long = `return [${'item, '.repeat(40)}`;
    const input = attempt({ before: [sums], edits: { 'src/range.ts': [`${long}first];`, `${long}last];`] } });
    expect(textOf(input)).toMatch(/I changed `…[^`]*first\];` to `…[^`]*last\];`/);
    expect(renderLessonClaim(lessonClaimsOf({ ...input, ranBy: 'any' })[0]!)).toMatch(
      /changing `…[^`]*first\];` to `…/,
    );
  });

  it('that deletes a file names the file, not its lines', () => {
    const patch =
      'diff --git a/src/a.ts b/src/a.ts\ndeleted file mode 100644\n--- a/src/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n';
    expect(textOf({ ...attempt({}), patch })).toContain('In attempt 2 I deleted src/a.ts.');
  });
});

describe('an edit that is not kept', () => {
  const own = failure({ ...sums, received: '9', fingerprint: 'ffffffffffff' });

  it('does not repeat the value of the tree to go back to, which is that before the attempt', () => {
    const text = textOf(attempt({ before: [sums], after: [own] }, { back: [sums] }));
    expect(text).toContain('but received 9; it received 3 before the attempt.\n');
    expect(text).toContain('\nThis edit was not kept: the tree goes back to that of attempt 1.\n');
  });

  it('leads to a step whose test is named once, after the failure of the tree to go back to', () => {
    const other = failure({ ...sums, test_id: 'other', rule: 'cart > other', fingerprint: 'eeeeeeeeeeee' });
    const input = attempt({ before: [sums, other], after: [other, own] }, { back: [sums] });
    expect(textOf(input)).toContain(
      'the failure to work on there: the test "cart > sums" at test/range.test.ts:8 expected 4 but received 3',
    );
    expect(stepOf(input)).toMatch(/while the test "cart > sums" runs\.$/);
  });

  it('is not quoted as if it were in that tree', () => {
    const placed = { ...sums, frames: [{ file: 'src/range.ts', line: 12 }] };
    expect(stepOf(attempt({ before: [placed], after: [placed] }, { back: [placed] }))).toContain(
      '`while (i < end) {`',
    );
    expect(stepOf(attempt({ before: [placed], after: [placed] }))).toContain('`while (i <= end - 1) {`');
  });

  it('does not make the failure of another tree look like its own', () => {
    const stored = inputOf({ iteration: 1, before: [sums] });
    const reflections = [remembered(stored, reflectByRules(stored))];
    const text = textOf(attempt({ before: [sums], after: [own] }, { back: [sums], reflections }));
    expect(text).not.toMatch(/in that way/);
  });
});

describe('the step', () => {
  it('for a refused suppression does not say to leave the file alone', () => {
    const file = 'src/range.ts';
    const detail = `${file} has a cast to any that was not there before.`;
    const tampering = [{ kind: 'suppression_added', file, detail, reverted: false }] as const;
    const refused = attempt({ before: [sums], evaluation: { tampering: [...tampering] } });
    expect(stepOf(refused)).toBe(
      'Make no edit of src/range.ts that is refused like this one and work on the test "cart > sums".',
    );
    expect(reflectByRules(refused).causal_reasoning).toBe(
      'Action [0] made an edit that is refused, whatever the checks say.',
    );
    const kept = [{ ...tampering[0], kind: 'protected_edited' } as const];
    expect(stepOf(attempt({ before: [sums], tampering: kept }))).toMatch(/^Leave src\/range.ts alone/);
  });

  it('for a source that the checks write names what is wrong, and accuses nobody', () => {
    const file = 'src/range.ts';
    const detail = `${file} was changed while the checks ran. The change lets test/new.test.ts write files.`;
    const tampering = [{ kind: 'changed_while_checked', file, detail, reverted: false }] as const;
    const refused = attempt({ before: [sums], evaluation: { tampering: [...tampering] } });
    expect(stepOf(refused)).toBe(
      'Write nothing to src/range.ts while the checks run (a test writes in a folder of its own) and work on the test "cart > sums".',
    );
    expect(textOf(refused)).toContain('test/new.test.ts');
    expect(reflectByRules(refused).credit_assignment.failure_category).toBe('incorrect_assumption');
  });

  it('for a check without tests is to read its output', () => {
    const exit = failure({
      type: 'other',
      check: 'shell',
      file: undefined,
      line: undefined,
      rule: undefined,
    });
    const checks = [{ name: 'shell', command: 'sh check.sh', output: 'wrong\n' }];
    expect(stepOf(attempt({ before: [exit], checks }))).toBe('Run `sh check.sh` and read its output: wrong.');
    const own = checks.map((check) => ({ ...check, command: '' }));
    expect(stepOf(attempt({ before: [exit], checks: own }))).toMatch(
      /^Do what the check \S+ asks for: wrong\.$/,
    );
    const hidden = own.map((check) => ({ ...check, name: 'holdout' }));
    expect(stepOf(attempt({ before: [{ ...exit, check: 'holdout' }], checks: hidden }))).toMatch(
      /^Compare the change with the task: .* not for those held out\.$/,
    );
  });

  it('does not let a failure that is no test run', () => {
    const crash = failure({
      type: 'runtime_error',
      rule: '(file)',
      frames: [{ file: 'src/range.ts', line: 12 }],
    });
    expect(stepOf(attempt({ before: [crash] }))).toMatch(/while the check "tests" runs\.$/);
  });

  it('sends no actor back to a test command that failed because a test failed, nor to one that does not exist', () => {
    const ran = (command: string, code: number) =>
      attempt({
        before: [sums],
        edits: {},
        actions: [{ type: 'command_execution', command, description: `Ran a command: exit code ${code}` }],
        trajectory: { outcome: 'claimed_done', rationale: 'I looked.' },
      });
    expect(stepOf(ran('npm test', 1))).toMatch(/^Print what the methods of `Queue`/);
    expect(reflectByRules(ran('npm test', 1)).credit_assignment.failure_category).toBe(
      'incomplete_implementation',
    );
    expect(stepOf(ran('pnpm test', 127))).toBe('Do without `pnpm test`, which was not found.');
    expect(reflectByRules(ran('pnpm test', 127)).credit_assignment.failure_category).toBe(
      'configuration_error',
    );
  });

  it('says what to print of a class', () => {
    expect(stepOf(attempt({ before: [sums] }))).toContain(
      'Print what the methods of `Queue` in src/queue.js:1 receive and return while',
    );
  });

  it('never asks to look in files of which none is left', () => {
    const reflections = [1, 2, 3].map((iteration) => {
      const input = inputOf({ iteration, before: [sums], edits: { 'src/queue.js': ['a', 'b'] } });
      return remembered(input, reflectByRules(input));
    });
    const step = stepOf(attempt({ before: [sums], iteration: 4 }, { reflections }));
    expect(step).toMatch(/^Find the smallest input/);
  });

  it('does not ask to print a received value that is reported, where no place is known', () => {
    const placeless = { ...sums, line: 2 };
    expect(stepOf(attempt({ before: [placeless] }))).toMatch(
      /^Work out by hand, step by step, what test\/range.test.ts:2 should/,
    );
  });
});

describe('the result', () => {
  it('says that tests did not run, and quotes the telling line of a crash', () => {
    const crash = failure({
      type: 'runtime_error',
      rule: '(file)',
      message: 'mocha ended without a report (exit code 1).\nReferenceError: nothing is not defined',
    });
    const evaluation = { missing_tests: ['a', 'b'] };
    const text = textOf(attempt({ before: [sums], after: [crash], evaluation }));
    expect(text).toContain('. 2 tests of the start did not run: a and 1 more.');
    expect(text).toContain('("ReferenceError: nothing is not defined")');
  });

  it('blames an edit for a new failure whose message names its file, and claims nothing of others', () => {
    const lost = failure({ type: 'runtime_error', message: "Cannot find module 'src/range.ts'" });
    expect(reflectByRules(attempt({ before: [sums], after: [sums, lost] })).causal_reasoning).toBe(
      'Action [0] edited files that the new failures name.',
    );
    const other = failure({ rule: 'cart > other', test_id: 'other' });
    expect(reflectByRules(attempt({ before: [sums], after: [sums, other] })).causal_reasoning).toBe(
      'Action [0] edited files; after the attempt there was a new failure.',
    );
  });

  it('lets a test fail on a line, and an error stand on one', () => {
    const thrown = failure({ ...sums, file: 'src/range.ts', line: 12, received: '9' });
    expect(textOf(attempt({ before: [sums], after: [thrown] }))).toContain(
      'It fails on a line that this attempt wrote.',
    );
    expect(
      reflectByRules(attempt({ before: [sums], after: [thrown] })).credit_assignment.root_cause,
    ).toContain('The test "cart > sums" fails on a line');
  });
});

describe('a traced run', () => {
  const at = (line: number) => ({ file: 'src/range.ts', line });
  const traced = (trace: Partial<NonNullable<ReflectionInput['trace']>>): string =>
    textOf({
      ...attempt({ before: [sums] }),
      trace: { testId: 'sums', ran: [], missed: [], unknown: [], values: [], ...trace },
    });

  it('tells which lines of the attempt the reported test executed, or that it executed none', () => {
    expect(traced({ ran: [at(12)], missed: [at(13)] })).toContain(
      '\nA traced run of it executed src/range.ts:12, which this attempt wrote.\n',
    );
    expect(traced({ missed: [at(12)] })).toContain('executed no line that this attempt wrote.');
  });

  it('is not told of another test, nor as "no line" where a line is not known', () => {
    expect(traced({ testId: 'other', missed: [at(12)] })).not.toContain('traced');
    expect(traced({ missed: [at(12)], unknown: [at(14)] })).not.toContain('traced');
    expect(textOf(attempt({ before: [sums] }))).not.toContain('traced');
  });

  const value = (code: string, line: number, seen: Partial<SeenValue> = {}): SeenValue => ({
    ...{ file: 'src/range.ts', line, code, count: 1, first: '2', last: '2' },
    ...{ order: line, isConstant: true, isChanged: false, ...seen },
  });

  it('tells values of changed lines and the last ones, in the order of evaluation', () => {
    const changed = value('end - 1', 12, { isChanged: true, first: 'undefined', last: 'undefined' });
    const values = [
      changed,
      value('total', 9, { first: '5', last: '5' }),
      value('i', 8, { count: 5, first: '0', last: '4', isConstant: false }),
      value('start', 7, { count: 2 }),
      value('early', 3),
    ];
    expect(traced({ ran: [at(12)], values })).toContain(
      'which this attempt wrote; in that run ' +
        '`total` at src/range.ts:9 was 5 and `end - 1` at src/range.ts:12 was undefined.',
    );
    const received = value('total', 9, { first: sums.received! });
    expect(traced({ values: [received, value('start', 7)] })).not.toContain('`total` at');
    expect(traced({ testId: 'other', values })).not.toContain('was undefined');
  });

  it('lets the next step go on from a known value, and print one where none is known', () => {
    expect(traced({ values: [value('total', 9, { first: '5', last: '5' })] })).toContain(
      'I will check whether `total` (5) at src/range.ts:9 is right for test/range.test.ts:8, and if it is not, change',
    );
    expect(traced({ missed: [at(12)] })).toMatch(/I will print /);
    const thrown = failure({ ...sums, file: 'src/range.ts', line: 12, message: 'TypeError: no end' });
    const trace = { testId: 'sums', ran: [], missed: [], unknown: [], values: [value('total', 9)] };
    expect(textOf({ ...attempt({ before: [thrown] }), trace })).toContain(
      'is right for the test "cart > sums", and if it is not,',
    );
  });
});

it('a lesson on an error of a tool has its message, because its code stands for many', () => {
  const typed = failure({
    type: 'type_error',
    check: 'types',
    rule: 'TS2322',
    file: 'src/range.ts',
    line: 12,
    message: "Type 'string' is not assignable to type 'number'.",
  });
  const input = attempt({
    before: [typed, sums],
    after: [sums],
    checks: [{ name: 'types' }, { name: 'tests' }],
  });
  expect(renderLessonClaim(lessonClaimsOf({ ...input, ranBy: 'any' })[0]!)).toMatch(
    /fixed TS2322 \(Type 'string' is not assignable to type 'number'\)\.$/,
  );
});

/** The test `sums` ran the edited line. */
const ranEdit = {
  testId: 'sums',
  ran: [{ file: 'src/range.ts', line: 12 }],
  missed: [],
  unknown: [],
  values: [],
};

describe('sentences that a sceptic found in loops of other repositories', () => {
  it('says that an edit brought the original tree back, and draws no lesson from it', () => {
    const input = attempt({}, { sameTree: [0] });
    expect(textOf(input)).toContain('the tree is the original one again');
    expect(reflectByRules(input).lessons_learned).toEqual([]);
    expect(reflectByRules({ ...attempt({ before: [sums] }), trace: ranEdit }).lessons_learned).not.toEqual(
      [],
    );
  });

  it('does not call a failure new whose test had no result before', () => {
    const late = failure({ type: 'timeout', rule: '(file)', message: 'A test did not end' });
    const text = textOf(attempt({ before: [late], after: [sums] }));
    expect(text).toContain('Failing now, without a result before: the test "cart > sums"');
    expect(text).not.toContain('New:');
  });

  it('does not say that a failure was there after the attempt to which the tree goes back', () => {
    const stored = inputOf({ iteration: 1, before: [sums] });
    const reflections = [remembered(stored, reflectByRules(stored))];
    const own = failure({ ...sums, received: '9' });
    const text = textOf(attempt({ before: [sums], after: [own] }, { back: [sums], reflections }));
    expect(text).toContain('goes back to that of attempt 1');
    expect(text).not.toMatch(/in that way|also there/);
  });

  it('takes the file of a failing test for a test, whatever its name', () => {
    const at = { file: 'checks.mjs', line: 4 };
    const own = failure({ ...at, test_id: 'checks.mjs > keys', rule: 'keys', frames: [at] });
    expect(textOf(attempt({ before: [own] }))).not.toMatch(/passes through|values in/);
  });

  it('shows rewards that differ with digits that differ', () => {
    const input = attempt({ rewards: [0.62366, 0.62353] });
    expect(textOf(input)).toContain('The reward went from 0.6237 to 0.6235');
    const better = attempt({ rewards: [0.62353, 0.62366] });
    expect(reflectByRules(better).causal_reasoning).toContain('rose from 0.6235 to 0.6237');
  });

  it('advises to make an edit again that fixed the next failure and was not kept', () => {
    const typed = failure({
      type: 'type_error',
      check: 'types',
      rule: 'TS2322',
      file: 'src/range.ts',
      line: 12,
    });
    const checks = [{ name: 'types' }, { name: 'tests' }];
    const input = attempt({ before: [typed, sums], after: [sums], checks }, { back: [typed, sums] });
    expect(stepOf(input)).toBe('Make the change of attempt 2 again, which fixed TS2322 at src/range.ts:12.');
    const later = attempt(
      { iteration: 3, before: [typed, sums], edits: { 'src/queue.js': ['a', 'b'] }, checks },
      { back: [typed, sums], reflections: [remembered(input, reflectByRules(input))] },
    );
    expect(stepOf(later)).toBe('Make the change of attempt 2 again, which fixed TS2322 at src/range.ts:12.');
  });

  it('does not give the same advice again', () => {
    const first = attempt({ iteration: 1, before: [sums] });
    const advised = remembered(first, reflectByRules(first));
    // Attempts in between failed otherwise, so that the failure ahead is not among their errors.
    const other = { ...advised, evaluator_output: { ...advised.evaluator_output, errors: [] } };
    const steps = [0, 1, 2].map((count) =>
      stepOf(attempt({ before: [sums] }, { reflections: Array(count).fill(other) as (typeof other)[] })),
    );
    expect(steps[1]).not.toBe(steps[0]);
    expect(steps[2]).not.toBe(steps[0]);
  });

  it('draws no lesson that a new file did not fix a test, nor an edit that the test did not execute', () => {
    const patch =
      'diff --git a/src/a.ts b/src/a.ts\nnew file mode 100644\n--- /dev/null\n+++ b/src/a.ts\n@@ -0,0 +1 @@\n+x\n';
    expect(reflectByRules({ ...attempt({}), patch }).lessons_learned).toEqual([]);
    const at = { file: 'src/range.ts', line: 12 };
    const lessons = (ran: readonly (typeof at)[]): readonly string[] =>
      reflectByRules({
        ...attempt({ before: [sums] }),
        trace: { testId: 'sums', ran, missed: ran.length === 0 ? [at] : [], unknown: [], values: [] },
      }).lessons_learned;
    expect(lessons([])).toEqual([]);
    expect(lessons([at])).toHaveLength(1);
    expect(reflectByRules(attempt({ before: [sums] })).lessons_learned).toEqual([]);
  });

  it('names in a lesson only the test that was seen to run the edit', () => {
    const other = failure({ ...sums, test_id: 'other', rule: 'cart > other', fingerprint: 'eeeeeeeeeeee' });
    const [lesson, ...more] = reflectByRules({
      ...attempt({ before: [sums, other] }),
      trace: ranEdit,
    }).lessons_learned;
    expect(more).toEqual([]);
    expect(lesson).toMatch(/alone did not fix the test "cart > sums"\.$/);
  });

  it('draws no lesson from an edit of prose', () => {
    expect(lessonClaimsOf(attempt({ edits: { 'NOTES.md': ['a note', 'another note'] } }))).toEqual([]);
  });

  it.each([
    ['a comment', '// from 1 to 3', '// from 1 to 4', 0],
    ['a comment that a tool reads', '', '// @ts-expect-error', 1],
    ['code with a comment', 'let end = 3; // from 1', 'let end = 4; // from 1', 1],
  ])('draws as many lessons from an edit of %s as it shows', (_, before, after, count) => {
    const input = attempt({ before: [sums], edits: { 'src/a.js': [before, after] } });
    expect(lessonClaimsOf({ ...input, ranBy: 'any' })).toHaveLength(count);
  });
});

describe('the function that a test calls', () => {
  const callee = (test: string, file: string, text: string): string => {
    const root = temporaryFolder();
    for (const [path, code] of [
      ['test/a.js', test],
      [file, text],
    ] as const) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), code);
    }
    const found = calleeAt(sourceLines(root), 'test/a.js', test.split('\n').length);
    return found === undefined ? 'none' : `${found.name} ${found.file}:${found.line}`;
  };

  it.each([
    [
      'require of a folder',
      "const lib = require('..')\nok(lib.parse(1))",
      'index.js',
      'function parse () {}',
      'parse index.js:1',
    ],
    [
      'required names',
      "var { parse } = require('../a')\nok(parse(1))",
      'a.js',
      '\nfunction parse () {}',
      'parse a.js:2',
    ],
    [
      'a namespace',
      "import * as lib from '../a.js';\nok(lib.parse(1))",
      'a.js',
      'export const parse = 1;',
      'parse a.js:1',
    ],
    [
      'overloads',
      "import { f } from '../a.ts';\nf(1)",
      'a.ts',
      'export function f(): 1;\nexport function f(): 2 {\n  function f() {}\n}',
      'f a.ts:2',
    ],
    [
      'a line above',
      "import { f } from '../a.js';\ntest('x', () => {\nconst g = f(1);\nok(g.a)",
      'a.js',
      'export const f = 1;',
      'f a.js:1',
    ],
    [
      'another test above',
      "import { f } from '../a.js';\nf(1);\ntest('x', () => {\nok(g.a)",
      'a.js',
      'export const f = 1;',
      'none',
    ],
    ['a package', "const lib = require('lib')\nok(lib.parse(1))", 'index.js', 'function parse () {}', 'none'],
  ])('is found with %s', (_, test, file, text, found) => {
    expect(callee(test, file, text)).toBe(found);
  });
});
