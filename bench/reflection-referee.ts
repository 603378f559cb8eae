/**
 * `node bench/reflection-referee.ts [--loops 2] [--seed 0] [--actors search,command,model] [--tools node,vitest,tsc,eslint]
 * [--keep FOLDER] [--show]`: runs loops in generated repositories (search,
 * command and model; node:test, vitest, tsc, eslint), then checks every factual clause of their reflections against
 * evaluations, trajectories and git diffs, independently of the reflector. Prints how many clauses there are and how many
 * are false. Loops that the folder of --keep has already are judged again and not run. Needs the built program. Exit code 1 if a clause is false, or the referee has no rule for it.
 */
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeTemporaryFolder, removeTemporaryFolder } from '../src/platform/files/temporary-folder.ts';
import { judgeAttempt } from './referee/judge.ts';
import { recordLoop } from './referee/run-subject.ts';
import { ACTORS, TOOLS } from './referee/subjects.ts';

const { values } = parseArgs({
  options: {
    loops: { type: 'string', default: '2' },
    seed: { type: 'string', default: '0' },
    actors: { type: 'string', default: ACTORS.join(',') },
    tools: { type: 'string', default: TOOLS.join(',') },
    keep: { type: 'string' },
    show: { type: 'boolean', default: false },
  },
});
const folder = values.keep ?? makeTemporaryFolder('bench-referee');
mkdirSync(folder, { recursive: true });
const total = { attempts: 0, clauses: 0, false: 0, unknown: 0 };
try {
  for (const actor of ACTORS.filter((name) => values.actors.split(',').includes(name))) {
    for (const tool of TOOLS.filter((name) => values.tools.split(',').includes(name))) {
      const count = { attempts: 0, clauses: 0, false: 0, unknown: 0 };
      for (let loop = 0; loop < Number(values.loops); loop++) {
        const seed = Number(values.seed) + loop * 3 + TOOLS.indexOf(tool);
        const recorded = await recordLoop(folder, { actor, tool, seed });
        for (const attempt of recorded.attempts) {
          count.attempts++;
          for (const { text, verdict } of judgeAttempt(recorded, attempt)) {
            count.clauses++;
            if (verdict !== 'true') count[verdict]++;
            if (verdict !== 'true' || values.show)
              console.log(`  ${verdict} (${actor} ${tool} ${seed}, attempt ${attempt.iteration}): ${text}`);
          }
        }
      }
      console.log(
        `${actor.padEnd(8)} ${tool.padEnd(7)} ${count.attempts} attempts, ${count.clauses} clauses, ${count.false} false, ${count.unknown} without a rule`,
      );
      for (const key of ['attempts', 'clauses', 'false', 'unknown'] as const) total[key] += count[key];
    }
  }
} finally {
  if (values.keep === undefined) removeTemporaryFolder(folder);
}
console.log(
  `all      ${total.attempts} attempts, ${total.clauses} clauses, ${total.false} false, ${total.unknown} without a rule`,
);
process.exitCode = total.false + total.unknown > 0 ? 1 : 0;
