import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of each set. `core` is what `npm test` runs; RALPH_TESTS chooses another one, or `all`. */
const SETS = {
  core: { include: ['test/**/*.test.ts'], exclude: ['test/**/*.long.test.ts', 'test/reliability/**'] },
  long: { include: ['test/**/*.long.test.ts'], exclude: ['test/reliability/**'] },
  reliability: { include: ['test/reliability/**/*.test.ts'], exclude: [] },
  all: { include: ['test/**/*.test.ts'], exclude: [] },
};

const { RALPH_TESTS: set = 'core' } = process.env;
if (!Object.hasOwn(SETS, set)) {
  throw new Error(`RALPH_TESTS is "${set}"; it must be one of ${Object.keys(SETS).join(', ')}.`);
}
const { include, exclude } = SETS[set as keyof typeof SETS];

/** Files that take the longest in their set; started last, one would keep one core busy after all other files have ended. */
const LONGEST = [
  'test/docs/readme.long.test.ts',
  'test/docs/commands.long.test.ts',
  'test/e2e/models.long.test.ts',
  'test/e2e/proof.long.test.ts',
  'test/proof/replay/index.test.ts',
  'test/reliability/',
];

/** The set of a file: core comes first, for a machine that is too slow for everything in its time. */
function setOf({ moduleId }: TestSpecification): number {
  return ['test/reliability/', '.long.test.ts'].findIndex((part) => moduleId.includes(part));
}

const ORDER = [-1, 1, 0];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLongest = ({ moduleId }: TestSpecification): boolean =>
      LONGEST.some((path) => moduleId.includes(path));
    const longestFirst = [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
    return longestFirst.sort((a, b) => ORDER.indexOf(setOf(a)) - ORDER.indexOf(setOf(b)));
  }
}

export default defineConfig({
  test: {
    include,
    exclude: ['test/fixtures/**', ...exclude],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // Most tests wait for programs that they start, so there are more workers than cores.
    maxWorkers: 3,
    isolate: false,
    setupFiles: ['test/support/own-state.ts'],
    sequence: { sequencer: LongestFirst },
    // On a loaded CI machine a program may miss a time limit of its test once; the summary counts the retries.
    retry: process.env['CI'] === 'true' ? 1 : 0,
  },
});
