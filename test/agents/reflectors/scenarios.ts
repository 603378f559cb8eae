import type { Diagnostic, FailureCategory } from '../../../src/schema/generated.ts';
import { failure, type Scenario } from './scenario.ts';

/** A kind of failed attempt with the expected content of its reflection. */
export interface Case extends Scenario {
  readonly title: string;
  readonly category: FailureCategory;
  /** Texts that the reflection must contain: places, names, values, steps. */
  readonly says: readonly string[];
  /** Indices of the blamed actions. */
  readonly blames: readonly number[];
  /** The evidence supports only a guess, so the confidence is low. */
  readonly thin?: true;
}

const frames = [
  { file: 'src/range.ts', line: 12, function: 'range' },
  { file: 'test/range.test.ts', line: 8 },
];
const offByOne = failure({ expected: '4', received: '3', frames });
const wrong = failure({
  rule: 'total > adds the tax',
  expected: '119',
  received: '100',
  file: 'test/total.test.ts',
});
const typeError = (parts: Partial<Diagnostic> = {}): Diagnostic =>
  failure({
    type: 'type_error',
    check: 'types',
    rule: 'TS2345',
    file: 'src/cart.ts',
    line: 30,
    message: "Argument of type 'string' is not assignable to parameter of type 'number'.",
    ...parts,
  });
const lintError = failure({
  type: 'lint_error',
  check: 'lint',
  rule: 'no-unused-vars',
  file: 'src/range.ts',
  line: 3,
  message: "'step' is defined but never used.",
});
const idle = { edits: {}, actions: [] } as const;

/** One case for each kind of failure seen in practice. */
export const CASES: readonly Case[] = [
  {
    title: 'a bound that is one too low',
    before: [offByOne],
    category: 'edge_case_miss',
    says: [
      'test/range.test.ts:8',
      'expected 4 but received 3',
      'print the values at `range` in src/range.ts:12',
      'Failing as before: 1.',
      'The cause is not known',
    ],
    blames: [0],
  },
  {
    title: 'a use of an absent value',
    before: [
      failure({
        message: "TypeError: Cannot read properties of undefined (reading 'map')",
        rule: 'users > lists none',
        frames: [{ file: 'src/users.ts', line: 40, function: 'names' }],
      }),
    ],
    edits: { 'src/users.ts': ['return data.map(f)', 'return data.map((x) => f(x))'] },
    category: 'edge_case_miss',
    says: ['`names` in src/users.ts:40', "(reading 'map')", 'users > lists none'],
    blames: [0],
  },
  {
    title: 'an empty result where a list was expected',
    before: [failure({ expected: '[ 1, 2 ]', received: '[]', frames })],
    category: 'edge_case_miss',
    says: ['expected [ 1, 2 ] but received []'],
    blames: [0],
  },
  {
    title: 'a wrong value for an input that the test calls negative',
    before: [failure({ rule: 'abs > of a negative number', expected: '7', received: '-7', frames })],
    category: 'logic_error',
    says: ['abs > of a negative number'],
    blames: [0],
  },
  {
    title: 'a wrong value with no frame in the source',
    before: [wrong],
    category: 'logic_error',
    says: ['total > adds the tax', 'expected 119 but received 100', 'src/range.ts'],
    blames: [0],
  },
  {
    title: 'a reversed condition',
    before: [failure({ expected: 'true', received: 'false', frames })],
    category: 'logic_error',
    says: ['expected true but received false', 'src/range.ts:12'],
    blames: [0],
  },
  {
    title: 'items in another order',
    before: [failure({ expected: '["a", "b", "c"]', received: '["c", "b", "a"]', frames })],
    category: 'logic_error',
    says: ['another order'],
    blames: [0],
  },
  {
    title: 'a string in another case',
    before: [failure({ expected: '"Hello"', received: '"hello"', frames })],
    category: 'logic_error',
    says: ['expected "Hello" but received "hello"'],
    blames: [0],
  },
  {
    title: 'one of two failures fixed',
    before: [wrong, failure({ rule: 'total > rounds', expected: '2.5', received: '2.456' })],
    after: [failure({ rule: 'total > rounds', expected: '2.5', received: '2.456' })],
    rewards: [0.5, 0.75],
    edits: { 'src/total.ts': ['sum', 'sum * 1.19'] },
    category: 'incomplete_implementation',
    says: [
      '0.500 to 0.750',
      'Fixed: the test "total > adds the tax"',
      'In src/total.ts, changing `sum` to `sum * 1.19` fixed the test',
      'total > rounds',
      'No action is blamed',
    ],
    blames: [],
  },
  {
    title: 'one failure replaced with another',
    before: [wrong],
    after: [failure({ rule: 'total > of nothing', expected: '0.5', received: '19' })],
    edits: { 'src/total.ts': ['sum', 'sum + 19'] },
    category: 'logic_error',
    says: [
      'New: the test "total > of nothing"',
      'Fixed: the test "total > adds the tax"',
      '`sum` to `sum + 19` at src/total.ts:12',
    ],
    blames: [0],
  },
  {
    title: 'a test broken and nothing fixed',
    before: [wrong],
    after: [wrong, failure({ rule: 'total > sums', expected: '10', received: '30' })],
    rewards: [0.75, 0.5],
    edits: { 'src/total.ts': ['a + b', 'a * b'] },
    category: 'logic_error',
    says: ['0.750 to 0.500', 'New: the test "total > sums"', 'there was a new failure'],
    blames: [0],
  },
  {
    title: 'a new type error outside the edit',
    before: [wrong],
    after: [wrong, typeError()],
    rewards: [0.5, 0.2],
    edits: { 'src/total.ts': ['tax: number', 'tax: string'] },
    category: 'integration_error',
    says: ['TS2345 at src/cart.ts:30', 'src/total.ts:12', 'fix TS2345 at src/cart.ts:30'],
    blames: [0],
  },
  {
    title: 'a new type error inside one of two edits',
    before: [wrong],
    after: [wrong, typeError({ file: 'src/total.ts', line: 12 })],
    rewards: [0.5, 0.2],
    edits: { 'src/other.ts': ['a', 'b'], 'src/total.ts': ['n', 's'] },
    category: 'integration_error',
    says: ['src/total.ts:12', 'on a line that the attempt wrote', '[1]'],
    blames: [1],
  },
  {
    title: 'a syntax error',
    before: [wrong],
    after: [
      failure({
        type: 'syntax_error',
        check: 'types',
        rule: 'TS1005',
        file: 'src/total.ts',
        line: 13,
        message: "'}' expected.",
      }),
    ],
    rewards: [0.5, 0],
    edits: { 'src/total.ts': ['}', ''] },
    category: 'integration_error',
    says: ['TS1005 at src/total.ts:13 ("\'}\' expected")', 'Not reported again: the test "total > adds'],
    blames: [0],
  },
  {
    title: 'an import of a missing file',
    before: [wrong],
    after: [
      failure({
        type: 'runtime_error',
        rule: undefined,
        message: "Error: Cannot find module './tax' from 'src/total.ts'",
      }),
    ],
    rewards: [0.5, 0],
    edits: { 'src/total.ts': ['', "import { tax } from './tax';"] },
    category: 'integration_error',
    says: ['"./tax"', "`import { tax } from './tax';` at src/total.ts:12"],
    blames: [0],
  },
  {
    title: 'a package that is not installed',
    before: [
      failure({
        type: 'runtime_error',
        message: "Cannot find package 'lodash-es' imported from src/total.ts",
      }),
    ],
    category: 'configuration_error',
    says: ['work without the package "lodash-es"'],
    blames: [0],
  },
  {
    title: 'a missing environment variable',
    before: [
      failure({ type: 'runtime_error', message: 'Error: environment variable DATABASE_URL is required' }),
    ],
    category: 'configuration_error',
    says: ['environment variable', 'DATABASE_URL', 'test/range.test.ts:8'],
    blames: [0],
  },
  {
    title: 'a check that cannot run',
    before: [],
    checks: [
      { name: 'types', status: 'error', command: 'tsc -p .', detail: 'tsc ended with signal SIGKILL.' },
    ],
    rewards: [0.5, 0.3],
    category: 'configuration_error',
    says: ['"types" did not pass', 'SIGKILL', '`tsc -p .`', 'src/range.ts'],
    blames: [0],
    thin: true,
  },
  {
    title: 'a command that fails without naming a file',
    before: [],
    checks: [
      {
        name: 'docs',
        kind: 'command',
        tool: 'command',
        command: 'make docs',
        detail: 'Exit code 2.',
        output: 'building\nmake: *** [docs] Error 2\n\n',
      },
    ],
    category: 'other',
    says: ['"docs" did not pass: Exit code 2.', '`make docs`', 'make: *** [docs] Error 2'],
    blames: [0],
    thin: true,
  },
  {
    title: 'tests that no longer run',
    before: [],
    evaluation: { missing_tests: ['test/a.test.ts > a', 'test/a.test.ts > b'] },
    rewards: [0.9, 0.5],
    category: 'integration_error',
    says: ['2 tests of the start did not run', 'test/a.test.ts > a'],
    blames: [0],
    thin: true,
  },
  {
    title: 'an edit that no failure passes through',
    before: [
      failure({
        expected: '119',
        received: '100',
        frames: [{ file: 'src/tax.ts', line: 4, function: 'rate' }],
      }),
    ],
    edits: { 'src/format.ts': ['toFixed(2)', 'toFixed(3)'] },
    category: 'incorrect_assumption',
    says: ['It passes through `rate` in src/tax.ts:4', 'print the values at `rate`'],
    blames: [0],
  },
  {
    title: 'a test that does not terminate',
    before: [wrong],
    after: [failure({ type: 'timeout', message: 'Test timed out in 5000ms.' })],
    rewards: [0.5, 0.2],
    category: 'logic_error',
    says: ['Not reported again: the test "total > adds the tax"', 'to see which step', 'timed out'],
    blames: [0],
  },
  {
    title: 'a lint error caused by the edit',
    before: [wrong],
    after: [lintError],
    rewards: [0.5, 0.8],
    category: 'incomplete_implementation',
    says: ['no-unused-vars at src/range.ts:3', 'No action is blamed'],
    blames: [],
  },
  {
    title: 'type errors that remain',
    before: [typeError({ file: 'src/range.ts' }), typeError({ file: 'src/range.ts', rule: 'TS2322' })],
    category: 'incomplete_implementation',
    says: ['Failing as before: 2.', 'TS2345 at src/range.ts:30'],
    blames: [0],
  },
  {
    title: 'an edit of the tests',
    tampering: [
      {
        kind: 'protected_edited',
        file: 'test/range.test.ts',
        detail: 'test/range.test.ts was edited and put back.',
      },
    ],
    before: [offByOne],
    edits: {},
    actions: [
      {
        type: 'code_modification',
        description: 'Changed test/range.test.ts',
        file_path: 'test/range.test.ts',
      },
    ],
    category: 'incorrect_assumption',
    says: ['was edited and put back', 'leave test/range.test.ts alone'],
    blames: [0],
  },
  {
    title: 'an edit that hides the error',
    tampering: [
      {
        kind: 'suppression_added',
        file: 'src/range.ts',
        detail: 'src/range.ts has a cast to any that was not there before.',
      },
    ],
    before: [offByOne],
    category: 'hallucination',
    says: ['src/range.ts has a cast to any', 'make no edit of src/range.ts that is refused'],
    blames: [0],
  },
  {
    title: 'a claim without a change',
    before: [offByOne],
    ...idle,
    trajectory: { outcome: 'claimed_done', message: 'All tests pass now!' },
    category: 'incomplete_implementation',
    says: ['I changed no file: the actor ended as if it were done', 'expected 4 but received 3'],
    blames: [],
  },
  {
    title: 'a search without success',
    before: [offByOne],
    ...idle,
    trajectory: {
      outcome: 'gave_up',
      ruled_out: {
        tried: 312,
        edits: ['src/range.ts: i < end → i > end @aa', 'src/range.ts: i + 1 → i - 1 @bb'],
        nearest: 'src/range.ts: i < end → i <= end @aa (1 of 2 tests)',
      },
    },
    category: 'inefficient_planning',
    says: ['312 edits were tried', 'expected 4 but received 3'],
    blames: [],
  },
  {
    title: 'giving up without an action',
    before: [offByOne],
    ...idle,
    trajectory: { outcome: 'gave_up' },
    category: 'incomplete_implementation',
    says: ['changed no file: the actor ended', 'src/range.ts:12'],
    blames: [],
  },
  {
    title: 'a time limit',
    before: [offByOne],
    edits: {},
    actions: [{ type: 'command_execution', description: 'Ran the tests', command: 'npm test' }],
    trajectory: { outcome: 'timed_out' },
    category: 'inefficient_planning',
    says: ['the actor was stopped at a time limit', 'make the first edit before the time limit'],
    blames: [],
  },
  {
    title: 'an actor without a key',
    before: [offByOne],
    ...idle,
    trajectory: {
      ...{ outcome: 'failed', actor: 'acp', strategy: 'agent claude with opus' },
      message: 'claude: command not found',
    },
    category: 'configuration_error',
    says: ['the actor failed ("claude: command not found")', 'eed the agent "claude" set up, or another one'],
    blames: [],
  },
  {
    title: 'an actor that failed without a message',
    before: [],
    ...idle,
    trajectory: { outcome: 'failed' },
    category: 'other',
    says: ['the actor failed', 'fails in the same way'],
    blames: [],
  },
  {
    title: 'a model that gave no answer',
    before: [offByOne],
    ...idle,
    trajectory: { outcome: 'claimed_done', rationale: '', message: '' },
    category: 'other',
    says: ['I changed no file: the actor gave no answer', 'if attempt 2 has no answer either'],
    blames: [],
  },
  {
    title: 'a model that refused',
    before: [offByOne],
    ...idle,
    trajectory: {
      outcome: 'gave_up',
      rationale: 'I cannot help with that.',
      message: 'The model or its provider refused to answer.',
    },
    category: 'other',
    says: ['the model or its provider refused to answer', 'need another model'],
    blames: [],
  },
  {
    title: 'an agent whose every command failed',
    before: [offByOne],
    edits: {},
    actions: [
      { type: 'command_execution', description: 'Ran a command: exit code 1.', command: 'ls' },
      { type: 'test_execution', description: 'Ran a command: exit code 126.', command: 'npm test' },
    ],
    trajectory: { outcome: 'claimed_done', message: 'I could not run anything.' },
    category: 'configuration_error',
    says: ['all 2 commands of the attempt failed, the last one `npm test`', 'run `npm test` alone'],
    blames: [],
  },
];
