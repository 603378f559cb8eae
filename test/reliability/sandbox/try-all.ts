import { join } from 'node:path';
import type { EngineChoice } from '../../../src/platform/sandbox/find-engine.ts';
import { openSandbox, type SandboxMode } from '../../../src/platform/sandbox/open.ts';
import { workspacePolicy } from '../../../src/platform/sandbox/policy.ts';
import type { Sandbox } from '../../../src/platform/sandbox/sandbox.ts';
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
const SECRET_VARIABLE = 'TESTBED_DATABASE_URL';

export interface TryOptions {
  readonly mode: Extract<SandboxMode, 'strict' | 'off'>;
  /** Default: bubblewrap. */
  readonly engine?: EngineChoice;
  /** Absolute path of a folder that the sandbox shows read-only; default `VISIBLE`. */
  readonly visible?: string;
  readonly onProgress?: (text: string) => void;
}

/**
 * Tries every attack on an undamaged testbed, with HOME of this process in the testbed and a secret in its environment.
 * Rejects if `strict` finds no engine.
 */
export async function tryAll({ mode, engine, visible, onProgress }: TryOptions): Promise<Tried> {
  // Without a sandbox they would change the mounts of the machine.
  const attacks = mode === 'off' ? ATTACKS.filter(({ kind }) => kind !== 'mount') : ATTACKS;
  const home = process.env['HOME'];
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
    restoreHome(home);
  }
  return { tried: attacks.length, successes };
}

/** Undoes the changes of `openSetup` to the environment of this process. */
export function restoreHome(home: string | undefined): void {
  if (home === undefined) Reflect.deleteProperty(process.env, 'HOME');
  else process.env['HOME'] = home;
  Reflect.deleteProperty(process.env, SECRET_VARIABLE);
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

/** Makes a testbed and its sandbox. Sets HOME and a secret variable of this process until `restoreHome`. */
export async function openSetup(
  mode: TryOptions['mode'],
  { engine = 'bubblewrap', visible = VISIBLE }: SetupOptions = {},
): Promise<Setup> {
  const testbed = await createTestbed(visible);
  process.env['HOME'] = testbed.home;
  process.env[SECRET_VARIABLE] = testbed.secret;
  const { workspace: root, repository } = testbed;
  const dependencies = [join(repository, 'node_modules', 'dep')];
  const policy = () =>
    workspacePolicy({ root, repository, dependencies }, { network: false, passEnv: [], read: [], write: [] });
  const { sandbox } = await openSandbox({ mode, policy, engine, isForeign: false });
  return { testbed, sandbox };
}
