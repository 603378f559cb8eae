/**
 * `node bench/features.ts --vitest PATH --node-test PATH --monorepo PATH --package NAME [--only NAME]
 * [--agent opencode]`: tasks that no
 * check asks for yet, in green repositories, with a scripted model that does nothing, edits a text, stubs, does half, or
 * does the task. Prints the verdicts, and exits with 1 if a false one was verified or a real one was not.
 *
 * PATH is a clone with its dependencies installed: one with vitest and TypeScript, one with node:test and JavaScript,
 * and a monorepo whose package NAME is tested by mocha. Each is left as it was. Needs `npm run build`.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { format, resolveConfig } from 'prettier';
import type { Verdict } from '../src/schema/generated.ts';
import { CONDUCTS, FEATURES, type Conduct, type Feature } from './features/features.ts';
import { mochaPackage, NODE_TEST, VITEST, type Ground } from './features/ground.ts';
import { startAgentModel, startModel } from './features/programmer.ts';
import { RALPH } from './measure.ts';

const { values } = parseArgs({
  options: {
    vitest: { type: 'string' },
    'node-test': { type: 'string' },
    monorepo: { type: 'string' },
    package: { type: 'string', default: '' },
    only: { type: 'string' },
    agent: { type: 'string' },
  },
});
const grounds: readonly (readonly [ground: Ground, root: string | undefined])[] = [
  [VITEST, values.vitest],
  [NODE_TEST, values['node-test']],
  [mochaPackage(values.package), values.monorepo],
];

const FLAGS = ['--no-memory', '--max-iterations', '1', '--reflector', 'rules', '--proof-time', '0s'];

const counts = { falseVerified: 0, false: 0, realVerified: 0, real: 0 };
for (const [ground, root] of grounds) {
  if (root === undefined) continue;
  for (const feature of FEATURES) {
    if (values.only !== undefined && values.only !== feature.name) continue;
    for (const conduct of CONDUCTS) await count(root, ground, feature, conduct);
  }
}
console.log(`false ones verified: ${counts.falseVerified} of ${counts.false}`);
console.log(`real ones verified:  ${counts.realVerified} of ${counts.real}`);
if (counts.falseVerified > 0 || counts.realVerified < counts.real) process.exitCode = 1;

async function count(root: string, ground: Ground, feature: Feature, conduct: Conduct): Promise<void> {
  const { status, verified, reason, proof } = await runTask(root, ground, feature, conduct);
  const kind = conduct === 'real' ? 'real' : 'false';
  counts[kind] += 1;
  if (verified) counts[`${kind}Verified`] += 1;
  const proven =
    proof?.criteria.filter(({ red_before: red, green_after: green }) => red && green).length ?? 0;
  console.log(
    [
      ground.name.padEnd(20),
      feature.name.padEnd(16),
      conduct.padEnd(8),
      status.padEnd(10),
      `${proven} proven`,
      reason,
    ].join(' '),
  );
}

async function runTask(root: string, ground: Ground, feature: Feature, conduct: Conduct): Promise<Verdict> {
  const formatted = async (path: string, text: string): Promise<string> =>
    format(text, { ...(await resolveConfig(join(root, path))), filepath: path });
  const tests = await formatted(ground.test(feature), ground.renderTest(feature));
  const body = conduct === 'nothing' || conduct === 'readme' ? '' : feature[conduct];
  const source = await formatted(ground.source(feature), ground.renderSource(feature, body || "''"));
  const programmer =
    values.agent === undefined
      ? await startModel({ feature, ground, conduct, tests, source })
      : await startAgentModel(values.agent, { feature, ground, conduct, tests, source });
  try {
    const task = `${feature.task} Put it into ${ground.source(feature)}.`;
    const { stdout, stderr } = await execa(
      process.execPath,
      [RALPH, 'run', task, ...programmer.flags, ...FLAGS, '--branch', '--format', 'json'],
      { cwd: join(root, ground.folder), env: programmer.env, reject: false },
    );
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as Verdict;
  } finally {
    await programmer.close();
  }
}
