/**
 * `node bench/reflection-search.ts [--reflections 100000] [--loop-length 5] [--runs 15] [--keep FOLDER]`: measures the
 * wall time of `ralph reflections search` in a large store, compared with `node -e 0`.
 *
 *   build   the first search, which builds the index
 *   query   searches by words (rare, frequent, several), by filters and by both; the median, minimum and maximum
 *   sweep   a search that checks every file for changes, as one search per minute does in a store of this size
 *   change  a search after one reflection was added
 */
import { statSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { makeTemporaryFolder, removeTemporaryFolder } from '../src/platform/files/temporary-folder.ts';
import { ralphFolder } from '../src/platform/ralph-folder.ts';
import type { Reflection } from '../src/schema/generated.ts';
import { median, RALPH, spread, time } from './measure.ts';

const { values } = parseArgs({
  options: {
    reflections: { type: 'string', default: '100000' },
    'loop-length': { type: 'string', default: '5' },
    runs: { type: 'string', default: '15' },
    keep: { type: 'string' },
  },
});
const [reflections, loopLength, runs] = [values.reflections, values['loop-length'], values.runs].map(
  Number,
) as [number, number, number];

const NAMES =
  'parser loader session cart invoice router cache token schema queue worker stream report user'.split(' ');
const VERBS = 'drops keeps returns throws skips repeats compares rounds trims splits merges awaits'.split(
  ' ',
);
const THINGS =
  'the last item|an empty list|a negative bound|the second argument|a missing key|the wrong day|null'.split(
    '|',
  );
const CATEGORIES = ['edge_case_miss', 'logic_error', 'integration_error', 'incorrect_assumption'] as const;

const QUERIES: readonly (readonly [string, readonly string[]])[] = [
  ['a rare word', ['zeppelin']],
  ['a word in 7 % of the reflections', ['invoice']],
  ['a word in 45 % of the reflections', ['ledger']],
  ['a word in every reflection', ['attempt']],
  ['three words', ['cart', 'rounds', 'negative']],
  ['a category and a confidence', ['--category', 'logic_error', '--min-confidence', '0.8']],
  ['a file', ['--file', 'src/cart/*.ts']],
  ['a word, a category and a date', ['router', '--category', 'edge_case_miss', '--since', '2026-06-01']],
  ['a fingerprint', ['--fingerprint', fingerprintOf(777)]],
];

let added = 0;
const root = values.keep ?? makeTemporaryFolder('bench-reflections');
try {
  const bytes = writeStore();
  console.log(
    `store     ${reflections} reflections in ${Math.ceil(reflections / loopLength)} loops, ${(bytes / reflections / 1000).toFixed(1)} kB each`,
  );
  // A file written less than two seconds before it is indexed is read again by the next search.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const build = await search(['zeppelin']);
  const size = statSync(ralphFolder(root).index()).size;
  console.log(
    `build     ${(build.ms / 1000).toFixed(1)} s, the first search included; the index has ${(size / 1e6).toFixed(0)} MB`,
  );
  for (const [name, args] of QUERIES) console.log(await measure(name, args));
  console.log(await measure('sweep', ['zeppelin'], requestSweep));
  console.log(await measure('after one new reflection', ['zeppelin'], addReflection));
} finally {
  if (values.keep === undefined) removeTemporaryFolder(root);
}

async function measure(
  name: string,
  args: readonly string[],
  before: () => void = () => {},
): Promise<string> {
  const [queries, bare, ratios]: [number[], number[], number[]] = [[], [], []];
  let found = 0;
  for (let run = 0; run < runs; run++) {
    before();
    const node = await time(process.execPath, ['-e', '0'], root);
    const query = await search(args);
    found = (JSON.parse(query.stdout) as unknown[]).length;
    bare.push(node.ms);
    queries.push(query.ms);
    ratios.push(query.ms / node.ms);
  }
  const target = 3 * median(bare) + 40;
  return (
    `query     ${name}: ${spread(queries, 0)} ms, ${spread(ratios, 2)} × node -e 0 (${median(bare).toFixed(0)} ms); ` +
    `target: 3 × node -e 0 + 40 ms = ${target.toFixed(0)} ms; ${found} found`
  );
}

async function search(args: readonly string[]): Promise<{ ms: number; stdout: string }> {
  const done = await time(
    process.execPath,
    [RALPH, 'reflections', 'search', '--format', 'json', ...args],
    root,
  );
  if (done.exitCode !== 0) throw new Error(`ralph ended with ${String(done.exitCode)}.`);
  return done;
}

/** Makes the next search check every file. */
function requestSweep(): void {
  const database = new DatabaseSync(ralphFolder(root).index());
  database.exec('UPDATE seen SET swept = 0');
  database.close();
}

function addReflection(): void {
  writeReflection(reflections + added++ * loopLength);
}

/** Returns the number of bytes written. */
function writeStore(): number {
  mkdirSync(join(root, '.git'), { recursive: true });
  let bytes = 0;
  for (let index = 0; index < reflections; index++) bytes += writeReflection(index);
  return bytes;
}

function writeReflection(index: number): number {
  const reflection = reflectionOf(index);
  const path = ralphFolder(root).reflection(reflection.loop_id, reflection.iteration);
  if (reflection.iteration === 0) mkdirSync(dirname(path), { recursive: true });
  const text = `${JSON.stringify(reflection, null, 2)}\n`;
  writeFileSync(path, text);
  return text.length;
}

function fingerprintOf(index: number): string {
  return (index * 2_654_435_761).toString(16).padStart(12, '0').slice(-12);
}

function reflectionOf(index: number): Reflection {
  const iteration = index % loopLength;
  const pick = <T>(items: readonly T[], salt: number): T =>
    items[(index * 7919 + salt * 104_729 + (index >> 3)) % items.length]!;
  const [name, verb, thing] = [pick(NAMES, 1), pick(VERBS, 2), pick(THINGS, 3)];
  const file = `src/${name}/${verb}-${index % 400}.ts`;
  const line = (index % 300) + 1;
  const rare = index % 10_000 === 77 ? ' The zeppelin was at fault.' : '';
  const frequent = index % 20 < 9 ? ' The ledger shows it.' : '';
  return {
    loop_id: `ralph-fix-${Math.floor(index / loopLength)}`,
    iteration,
    timestamp: new Date(Date.UTC(2026, 0, 1) + index * 180_000).toISOString(),
    task_description: `Make the tests of ${file} pass: the ${name} ${verb} ${thing}.`,
    reflector: { name: 'rules', fallback: false },
    actor_output: {
      actions: [
        {
          type: 'code_modification',
          description: `Changed ${file}:${line}: ${verb} ${thing}`,
          file_path: file,
        },
        {
          type: 'test_execution',
          description: `Ran test/${name}.test.ts`,
          command: `vitest run test/${name}.test.ts`,
        },
      ],
      rationale: `The ${name} ${verb} ${thing} in ${file}:${line}, as the failing test says.`,
      strategy: 'Locate by the stack, change one bound, run the failing tests first.',
      files_modified: [file],
      total_changes: { files_changed: 1, lines_added: 1, lines_deleted: 1 },
    },
    evaluator_output: {
      passed: false,
      verification_type: 'unit_tests',
      results: [
        {
          tool: 'vitest run',
          status: 'fail',
          exit_code: 1,
          duration_ms: 812,
          stdout: `FAIL test/${name}.test.ts\n`.repeat(10),
        },
      ],
      errors: [0, 1].map((place) => ({
        type: 'test_failure' as const,
        message: `AssertionError: expected ${index % 97} to be ${(index % 97) + 1 + place}`,
        severity: 'error' as const,
        check: 'tests',
        file: `test/${name}.test.ts`,
        line: line + place,
        rule: `${name} > ${verb} ${thing}`,
        fingerprint: fingerprintOf(index * 2 + place),
        stack_trace: `    at ${name}${verb} (${file}:${line}:5)\n`.repeat(6),
      })),
      reward_signal: 0.4,
      metrics: {
        tests_passed: 9,
        tests_failed: 2,
        tests_total: 11,
        type_errors: 0,
        lint_errors: 0,
        lint_warnings: 0,
      },
    },
    self_reflection: {
      reflection_text: `In attempt ${iteration + 1} I changed ${file}:${line} so that the ${name} no longer ${verb} ${thing}, and the same test failed again: expected ${index % 97}.${rare}${frequent} The bound was right; what ${verb} is the caller in src/${pick(NAMES, 5)}/${pick(VERBS, 6)}.ts, which gives ${pick(THINGS, 7)} where the ${name} wants ${pick(THINGS, 8)}.`,
      credit_assignment: {
        failing_action_indices: [0],
        root_cause: `${file}:${line} ${verb} ${thing}; it was taken for the cause because it stands first in the stack.`,
        failure_category: pick(CATEGORIES, 9),
      },
      causal_reasoning: `The ${name} is given ${pick(THINGS, 10)} by its caller, so that it ${pick(VERBS, 11)} it before it ${verb} ${thing}.`,
      actionable_insights: [
        `Look at the caller of ${name} in src/${pick(NAMES, 12)} before ${file}:${line}.`,
        `Run test/${name}.test.ts alone with ${pick(THINGS, 13)} as its input.`,
      ],
      lessons_learned: [
        `${file} is covered by test/${name}.test.ts, which ${pick(VERBS, 14)} ${pick(THINGS, 15)}.`,
      ],
      confidence: ((index * 37) % 100) / 100,
      related_reflections: iteration === 0 ? [] : [iteration - 1],
    },
    memory_metadata: {
      omega_capacity: 3,
      current_memory_size: Math.min(3, iteration + 1),
      window_policy: 'fifo',
      reflections_in_context: [iteration],
      total_reflections_generated: iteration + 1,
    },
    context_injected: iteration > 0,
    previous_reflections_used: iteration === 0 ? [] : [iteration - 1],
    performance_delta: { reward_change: 0, error_count_change: 0, is_improvement: false },
  };
}
