/**
 * `npm run bench -- [--repository PATH]`: what ralph itself costs, as ratios taken in one run on one machine.
 *
 *   start      `ralph --version` over a bare `node -e 0`
 *   overhead   what a loop spends beside its checks and its actor, per attempt, in a repository of 200 files
 *   session    what a session of six model requests takes beside the model and the checks: wall, and CPU with git's
 *   search     edits that the offline actor tries a second, and in the time of one `npm test`
 *   report     the page of a loop of 200 attempts: how long it takes to write, and a browser to show
 *   verdict    edit to full verdict over `npm test; npx tsc --noEmit; npx eslint .` in sequence, in PATH
 *
 * PATH is a git repository with its dependencies installed and its checks green; it is copied, not touched.
 */
import { parseArgs } from 'node:util';
import { measureOverhead } from './overhead.ts';
import { measureReport } from './report.ts';
import { measureSearch } from './search.ts';
import { measureSession } from './session.ts';
import { measureStart } from './start.ts';
import { measureVerdict } from './verdict.ts';

const { values } = parseArgs({
  options: { repository: { type: 'string' }, runs: { type: 'string', default: '5' } },
});
const runs = Number(values.runs);

console.log(await measureStart(runs * 3));
console.log(await measureOverhead());
console.log(await measureSession(runs));
console.log(await measureSearch(runs));
console.log(await measureReport(runs));
if (values.repository === undefined)
  console.log('verdict   skipped: name a repository with --repository PATH');
else console.log(await measureVerdict(values.repository, runs));
