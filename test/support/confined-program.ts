/** Run by itself, as another user where needed: a command line in sandbox-runtime, in the folder given first. */
import { childEnvironment } from '../../src/platform/processes/environment.ts';
import { runProcess } from '../../src/platform/processes/process.ts';
import { openSandbox } from '../../src/platform/sandbox/open.ts';
import { workspacePolicy } from '../../src/platform/sandbox/policy.ts';

const [root, command] = process.argv.slice(2) as [string, string];
const place = { root, repository: root, dependencies: [] };
const policy = () => workspacePolicy(place, { network: false, passEnv: [], read: [], write: [] });
const { sandbox } = await openSandbox({
  mode: 'strict',
  engine: 'sandbox-runtime',
  policy,
  isForeign: false,
});
const env = { ...childEnvironment(), NODE_OPTIONS: '--require ./loaded.cjs' };
const outcome = await runProcess({ cwd: root, env, shell: command, sandbox: sandbox! });
process.stdout.write(JSON.stringify(outcome));
