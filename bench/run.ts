/**
 * `npm run bench -- [--repository PATH] [--only search]`: measures the cost of ralph itself, as ratios taken in one run on one machine.
 *
 *   start      `ralph --version` ÷ `node -e 0`
 *   overhead   time of a loop per attempt, without its checks and its actor, in a repository of 200 files
 *   session    wall time and CPU of a session of six model requests, without the model and the checks
 *   search     edits that the offline actor tries per second, and in the time of one `npm test`
 *   report     time to write the HTML report of a loop of 200 attempts, and to load it in a browser
 *   verdict    time from an edit to the full verdict ÷ `npm test; npx tsc --noEmit; npx eslint .`, in PATH
 *
 * PATH is a git repository with its dependencies installed and its checks green; a copy of it is used.
 */
import { parseArgs } from 'node:util';
import { measureOverhead } from './overhead.ts';
import { measureReport } from './report.ts';
import { measureSearch } from './search.ts';
import { measureSession } from './session.ts';
import { measureStart } from './start.ts';
import { measureVerdict } from './verdict.ts';

const { values } = parseArgs({
  options: {
    repository: { type: 'string' },
    runs: { type: 'string', default: '5' },
    only: { type: 'string' },
  },
});
const runs = Number(values.runs);

const { repository, only } = values;

/** The measurements by name, in order. */
const MEASUREMENTS = {
  start: () => measureStart(runs * 3),
  overhead: () => measureOverhead(),
  session: () => measureSession(runs),
  search: async () => `${await measureSearch(runs, 'vitest')}\n${await measureSearch(runs, 'jest')}`,
  report: () => measureReport(runs),
  verdict: () =>
    repository === undefined
      ? 'verdict   skipped: no repository was given with --repository PATH'
      : measureVerdict(repository, runs),
} satisfies Readonly<Record<string, () => string | Promise<string>>>;

if (only !== undefined && !Object.hasOwn(MEASUREMENTS, only))
  throw new Error(`--only is one of ${Object.keys(MEASUREMENTS).join(', ')}.`);
for (const [name, measure] of Object.entries(MEASUREMENTS)) {
  if (only === undefined || only === name) console.log(await measure());
}
