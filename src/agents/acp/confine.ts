import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { usageError } from '../../errors.ts';
import { homeFolder } from '../../platform/processes/own-user.ts';
import type { Sandbox } from '../../platform/sandbox/sandbox.ts';
import type { AgentConfinement } from '../../schema/generated.ts';
import { KNOWN_AGENTS, type OwnFolder } from './agents.ts';

/** The sandbox of an agent's process, and what the agent reads or runs at each of its starts. */
export interface ConfinedAgent {
  readonly sandbox: Sandbox;
  /** Absolute paths that did not exist when this was made. */
  readonly absentSettings: readonly string[];
}

/**
 * How the process of an agent is confined: it can write the workspace and the folders of its own, of which the settings
 * are read-only, it has the network and its whole environment. Undefined: it has ralph's own rights. Throws RalphError
 * where the user asks for what cannot be had.
 */
export function confineAgent(
  name: string,
  confinement: AgentConfinement,
  sandbox: Sandbox | undefined,
): ConfinedAgent | undefined {
  const own = KNOWN_AGENTS.find((agent) => agent.name === name)?.own;
  const isWanted = confinement === 'on' || (confinement === 'auto' && own !== undefined);
  if (!isWanted) return undefined;
  if (sandbox?.engine !== 'bubblewrap') {
    if (confinement === 'auto') return undefined;
    throw usageError(
      `--sandbox-agent on needs bubblewrap, and ${sandbox === undefined ? 'there is no sandbox' : `the sandbox is ${sandbox.engine}`}.`,
      'Install bubblewrap, and leave --sandbox off and --sandbox-engine out.',
    );
  }
  const { writes, settings } = placesOf(own ?? []);
  // The files of an agent's first start would be lost otherwise, such as the session that its usage is read from.
  for (const path of writes.filter((it) => !settings.includes(it))) makeFolder(path);
  return {
    sandbox: sandbox.allowing({
      write: writes.filter(existsSync).map((path) => realpathSync(path)),
      read: settings.filter(existsSync).map((path) => realpathSync(path)),
      network: true,
      wholeEnvironment: true,
    }),
    absentSettings: settings.filter((path) => !existsSync(path)),
  };
}

/** A sentence on settings that an agent has created, which it would read without a sandbox too; undefined if none. */
export function describeNewSettings(name: string, { absentSettings }: ConfinedAgent): string | undefined {
  const created = absentSettings.filter(existsSync);
  if (created.length === 0) return undefined;
  return `${name} created ${created.join(', ')}, which it reads whenever it starts: look at it before you start ${name} again.`;
}

/** The agent starts also without the folder. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {
    // A home folder that is read-only.
  }
}

interface Places {
  readonly writes: readonly string[];
  readonly settings: readonly string[];
}

/** Absolute paths of the folders that an agent keeps, and of the settings in them. */
function placesOf(folders: readonly OwnFolder[]): Places {
  const home = homeFolder();
  const found = folders.flatMap(({ variable, folder, name = '', settings }) => {
    const named = process.env[variable];
    const parent = named !== undefined && isAbsolute(named) ? named : home && join(home, folder);
    if (parent === undefined) return [];
    const path = join(parent, name);
    return [{ path, settings: settings.map((setting) => join(path, setting)) }];
  });
  return { writes: found.map(({ path }) => path), settings: found.flatMap(({ settings }) => settings) };
}
