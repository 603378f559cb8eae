/**
 * `node bench/ways.ts --problems FILE [--count 10] [--right 0.25] [--seed 1] [--way NAME…]`: requests and tokens until a result is
 * verified, by the way in which a model is asked: `react`, `cot`, `--samples 4` and `--propose`. FILE holds HumanEvalFix problems.
 *
 * The model is scripted. It has one idea after another, each of them right with the same probability and else a plausible wrong
 * edit, and every way gets the same ideas in the same order. So this measures what a way needs for an idea: requests, text that
 * is sent again, edits that do not apply. It does not tell how good the ideas of a model are, nor whether 20 ideas at once are as
 * good as 20 one after the other. Problems that no single edit of the search's operators repairs are left out.
 */
import { parseArgs } from 'node:util';
import { readProblems, type Problem } from './datasets/humanevalfix/problems.ts';
import { median } from './measure.ts';
import { ideasFor, type Ideas } from './ways/ideas.ts';
import { runWay, WAYS, type WayRun } from './ways/run-way.ts';

const { values } = parseArgs({
  options: {
    problems: { type: 'string' },
    count: { type: 'string', default: '10' },
    right: { type: 'string', default: '0.25' },
    seed: { type: 'string', default: '1' },
    way: { type: 'string', multiple: true, default: Object.keys(WAYS) },
  },
});
if (values.problems === undefined)
  throw new Error('--problems FILE is missing: a file of HumanEvalFix problems.');
const share = Number(values.right);
const all = await readProblems(values.problems);
const subjects: { problem: Problem; ideas: Ideas }[] = [];
let leftOut = 0;
for (const problem of all) {
  if (subjects.length >= Number(values.count)) break;
  const ideas = ideasFor(problem);
  if (ideas === undefined) leftOut++;
  else subjects.push({ problem, ideas });
}
console.log(
  `${subjects.length} problems, ${leftOut} left out before them; an idea is right with probability ${share}, seed ${values.seed}`,
);
for (const way of values.way) {
  const runs: WayRun[] = [];
  for (const { problem, ideas } of subjects) {
    const run = await runWay(way, problem, { ideas, seed: values.seed, share });
    const result = run.verified ? 'verified' : `not verified: ${run.reason.slice(0, 200)}`;
    console.log(
      `  ${way} ${problem.taskId}: ${run.requests} requests, ${run.input} tokens in, ${run.output} out, ${result}`,
    );
    runs.push(run);
  }
  console.log(render(way, runs));
}

function render(way: string, runs: readonly WayRun[]): string {
  const verified = runs.filter((run) => run.verified);
  const sum = (of: (run: WayRun) => number): number => runs.reduce((total, run) => total + of(run), 0);
  const each = (of: (run: WayRun) => number): string =>
    verified.length === 0 ? '-' : `${Math.round(sum(of) / verified.length)}`;
  const requests = (sum((run) => run.requests) / Math.max(1, verified.length)).toFixed(1);
  const middle = verified.length === 0 ? '-' : median(verified.map((run) => run.requests));
  return [
    `${way.padEnd(8)} verified ${verified.length} of ${runs.length}`,
    `${requests} requests for each verified result (median of the verified ${middle})`,
    `${each(({ input }) => input)} tokens in, ${each(({ output }) => output)} out`,
    `${sum(({ seconds }) => seconds).toFixed(0)} s`,
  ].join(' · ');
}
