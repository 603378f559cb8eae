import { isKnownAgent } from '../../actors.ts';
import { flagSettings } from '../../config/setting-list.ts';
import { usageError } from '../../errors.ts';
import type { Config } from '../../schema/generated.ts';

/** Settings by which a worker confines what it runs and says where its keys are sent: a job has none of them. */
export const BOUNDS_OF_WORKER = [
  'sandbox',
  'sandboxEngine',
  'sandboxAgent',
  'allowNetwork',
  'passEnv',
  'sandboxRead',
  'sandboxWrite',
  'limits',
  'baseUrl',
  'providerOptions',
] as const satisfies readonly (keyof Config)[];

/** Settings that name a file or a folder of one machine, which a job could read or write on every worker. */
const OF_ONE_MACHINE = ['record', 'replay', 'workspaceDir'] as const satisfies readonly (keyof Config)[];

/** Settings that no job has. */
export const REFUSED_OF_JOBS: readonly (keyof Config)[] = [...BOUNDS_OF_WORKER, ...OF_ONE_MACHINE];

/** Throws a usage error if a job asks for what only its worker decides. */
export function requireJobSettings(config: Config): void {
  const given = flagSettings().find(
    ({ key }) => (REFUSED_OF_JOBS as readonly string[]).includes(key) && config[key] !== undefined,
  );
  if (given !== undefined) {
    const [flag] = given.flag.split(' ');
    if ((OF_ONE_MACHINE as readonly string[]).includes(given.key))
      throw usageError(
        `${flag} is not a setting of a job: it names a file of one machine.`,
        `Leave ${flag} out.`,
      );
    throw usageError(
      `${flag} is not a setting of a job: the workers decide what jobs may do, and where their keys are sent.`,
      `Give it to the workers instead: ralph worker ${flag} …`,
    );
  }
  requireKnownAgent(config);
}

/** An agent has the network and the environment of its worker, so a job may not bring a command line of its own. */
function requireKnownAgent({ agent }: Config): void {
  if (agent === undefined || isKnownAgent(agent)) return;
  throw usageError(
    `--agent ${agent} is not the name of an agent: a job may not bring a command line that has the keys of its worker.`,
    'Name a known agent, such as --agent claude, or give the program to --command, which runs it in the sandbox.',
  );
}

/** The settings of a stored job without those that an older ralph accepted. Throws a usage error for an unknown agent. */
export function settingsOfJob(config: Config): Config {
  const refused: ReadonlySet<string> = new Set(REFUSED_OF_JOBS);
  const left = Object.fromEntries(Object.entries(config).filter(([key]) => !refused.has(key)));
  requireKnownAgent(left);
  return left;
}
