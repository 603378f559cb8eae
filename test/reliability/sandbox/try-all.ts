import { join } from 'node:path';
import type { EngineChoice } from '../../../src/platform/sandbox/find-engine.ts';
import { usageLimits } from '../../../src/platform/sandbox/limits.ts';
import { openSandbox, type SandboxMode } from '../../../src/platform/sandbox/open.ts';
import { workspacePolicy } from '../../../src/platform/sandbox/policy.ts';
import type { Sandbox } from '../../../src/platform/sandbox/sandbox.ts';
import type { Attack } from './attack.ts';
import { ATTACKS } from './attacks.ts';
import { createTestbed, type Testbed } from './testbed.ts';
import { tryAttack } from './try-attack.ts';

/** A successful attack, and the signs of its success. */
export interface Success {
  readonly attack: string;
  readonly signs: readonly string[];
}

export interface Tried {
  readonly tried: number;
  readonly successes: readonly Success[];
}

/** A folder that the sandbox shows read-only. */
export const VISIBLE = join(import.meta.dirname, '../../../node_modules/.cache');
/** Variables of this process while attacks are tried; each value holds the secret or leads to it. */
const VARIABLES: Readonly<Record<string, (secret: string, home: string) => string>> = {
  TESTBED_DATABASE_URL: (secret) => secret,
  TESTBED_PLAIN: (secret) => secret,
  HTTP_PROXY: (secret) => `http://user:${secret}@127.0.0.1:9`,
  NPM_CONFIG__AUTH: (secret) => secret,
  SSH_AUTH_SOCK: (_secret, home) => join(home, 'socket'),
};

export interface TryOptions {
  readonly mode: Extract<SandboxMode, 'strict' | 'off'>;
  /** Default: bubblewrap. */
  readonly engine?: EngineChoice;
  /** Absolute path of a folder that the sandbox shows read-only; default `VISIBLE`. */
  readonly visible?: string;
  readonly onProgress?: (text: string) => void;
  /** The attacks to try; default: all. */
  readonly attacks?: readonly Attack[];
}

/** Without a sandbox they would change the mounts or settings of the machine. */
const NEVER_UNCONFINED: readonly string[] = ['mount', 'machine'];

/**
 * Tries each attack on an undamaged testbed, with HOME of this process in the testbed and a secret in its environment.
 * Rejects if `strict` finds no engine.
 */
export async function tryAll({
  mode,
  engine,
  visible,
  onProgress,
  attacks: asked = ATTACKS,
}: TryOptions): Promise<Tried> {
  const attacks = mode === 'off' ? asked.filter(({ kind }) => !NEVER_UNCONFINED.includes(kind)) : asked;
  const environment = { ...process.env };
  const successes: Success[] = [];
  let setup = await openSetup(mode, { engine, visible });
  try {
    for (const attack of attacks) {
      onProgress?.(`${attack.kind}: ${attack.name}`);
      const signs = await tryAttack(attack, setup.testbed, setup.sandbox);
      if (signs.length === 0) continue;
      successes.push({ attack: `${attack.kind}: ${attack.name}`, signs });
      await setup.testbed.close();
      setup = await openSetup(mode, { engine, visible });
    }
  } finally {
    await setup.testbed.close();
    restoreEnvironment(environment);
  }
  return { tried: attacks.length, successes };
}

/** Undoes the changes of `openSetup` to the environment of this process. */
export function restoreEnvironment(before: Readonly<Record<string, string | undefined>>): void {
  for (const name of ['HOME', ...Object.keys(VARIABLES)]) {
    const value = before[name];
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
}

/** A testbed, and the sandbox around its workspace. */
export interface Setup {
  readonly testbed: Testbed;
  readonly sandbox?: Sandbox;
}

export interface SetupOptions {
  readonly engine?: EngineChoice;
  readonly visible?: string;
}

/** Makes a testbed and its sandbox. Sets HOME and secret variables of this process until `restoreEnvironment`. */
export async function openSetup(
  mode: TryOptions['mode'],
  { engine = 'bubblewrap', visible = VISIBLE }: SetupOptions = {},
): Promise<Setup> {
  const testbed = await createTestbed(visible);
  process.env['HOME'] = testbed.home;
  for (const [name, value] of Object.entries(VARIABLES))
    process.env[name] = value(testbed.secret, testbed.home);
  const { workspace: root, repository } = testbed;
  const dependencies = [join(repository, 'node_modules', 'dep')];
  const policy = () =>
    workspacePolicy(
      { root, repository, dependencies },
      { network: false, passEnv: [], read: [], write: [], limits: usageLimits() },
    );
  const { sandbox } = await openSandbox({ mode, policy, engine, isForeign: false });
  return { testbed, sandbox };
}
