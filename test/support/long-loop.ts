/** A loop of many attempts, as large as real ones are: three checks, thirty failures, four files, a reflection each. */
import type { Diagnostic } from '../../src/schema/generated.ts';
import { failingTest, patchOf, type PlannedAttempt, type PlannedLoop } from './stored-loop.ts';

const FILES = ['src/cart.ts', 'src/money.ts', 'src/shipping.ts', 'src/receipt.ts'] as const;
const NAMES = Array.from(
  { length: 30 },
  (_, index) => `suite ${index % 5} > does what it should in case ${index}`,
);

/** `attempts` of them; the last one passes. */
export function longLoop(loopId: string, attempts: number): PlannedLoop {
  return {
    loopId,
    task: 'Make the shop add up again: totals, shipping and receipts.',
    baseline: { checks: checksOf(0, attempts), failures: failuresOf(0, attempts) },
    attempts: Array.from({ length: attempts }, (_, index) => attemptOf(index + 1, attempts)),
  };
}

function attemptOf(iteration: number, attempts: number): PlannedAttempt {
  const edited = FILES.slice(0, 1 + (iteration % FILES.length));
  return {
    checks: checksOf(iteration, attempts),
    failures: failuresOf(iteration, attempts),
    patch: edited
      .map((path) =>
        patchOf(
          path,
          Array.from({ length: 4 }, (_, place) => ({
            line: 20 + place * 30,
            before: `  return items.reduce((sum, item) => sum + item.price * ${place}, 0);`,
            after: `  return items.reduce((sum, item) => sum + item.price * item.quantity, ${iteration + place});`,
          })),
        ),
      )
      .join(''),
    files: edited.map((path) => ({ path, kind: 'modified', linesAdded: 4, linesDeleted: 4 })),
    trajectory: {
      message: `Attempt ${iteration} looked at ${edited.join(', ')} and changed how the sum is taken.`,
      actions: edited.flatMap((path) => [
        { type: 'other', description: `${path}: read lines 1 to 200 of 200.`, file_path: path },
        { type: 'code_modification', description: `Changed ${path} (+4 −4).`, file_path: path },
      ]),
      usage: {
        ...{ input_tokens: 12_000 + iteration * 10, output_tokens: 900, cached_input_tokens: 8_000 },
        cost_usd: 0.0123,
      },
    },
    ...(iteration % 17 === 0 && {
      tampering: [
        {
          kind: 'protected_edited',
          file: 'test/cart.test.ts',
          detail: 'test/cart.test.ts is protected: the edit was taken back before scoring.',
        },
      ],
    }),
    reflection: {
      reflection_text:
        `In attempt ${iteration} I changed ${edited.join(' and ')}. At ${edited[0]}:20 the start value is wrong: "${NAMES[iteration % NAMES.length]}" still fails. `.repeat(
          3,
        ),
      causal_reasoning: `The value at ${edited[0]}:50 goes into the total, which is one too high.`,
      credit_assignment: {
        failing_action_indices: [1],
        root_cause: `The start value at ${edited[0]}:20 is added to each sum.`,
        failure_category: iteration % 3 === 0 ? 'edge_case_miss' : 'logic_error',
      },
      actionable_insights: [
        `Begin the sum of ${edited[0]}:20 at 0.`,
        'Run the tests of the cart alone first.',
      ],
      lessons_learned: ['Totals here are in cents.'],
      confidence: 0.4 + ((iteration * 7) % 50) / 100,
    },
  };
}

/** Green only behind the last attempt; until then it goes up and down on the way. */
function checksOf(iteration: number, attempts: number): PlannedAttempt['checks'] {
  if (iteration === attempts) return checks(1, 1, 1);
  const progress = iteration / attempts;
  const wave = ((iteration * 37) % 11) / 40;
  return checks(
    Math.min(0.97, 0.4 + progress * 0.5 + wave / 2),
    iteration % 4 === 0 ? 0 : 1,
    progress > 0.3 ? 1 : 0,
  );
}

function checks(tests: number, types: number, lint: number): PlannedAttempt['checks'] {
  const passed = Math.round(tests * 30);
  return [
    { name: 'tests', weight: 0.5, score: tests, passed, failed: 30 - passed, total: 30 },
    { name: 'types', weight: 0.3, score: types },
    { name: 'lint', weight: 0.2, score: lint },
  ];
}

function failuresOf(iteration: number, attempts: number): Diagnostic[] {
  if (iteration === attempts) return [];
  const left = NAMES.slice(0, Math.ceil(NAMES.length * (1 - (iteration / attempts) * 0.8)));
  return left
    .filter((_, index) => (index * 13 + iteration) % 7 !== 0)
    .map((name) => failingTest(name, { line: 10 + name.length }));
}
