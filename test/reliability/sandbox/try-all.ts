import { join } from 'node:path';
import type { EngineChoice } from '../../../src/platform/sandbox/find-engine.ts';
import { openSandbox, type SandboxMode } from '../../../src/platform/sandbox/open.ts';
import { workspacePolicy } from '../../../src/platform/sandbox/policy.ts';
import type { Sandbox } from '../../../src/platform/sandbox/sandbox.ts';
import { ATTACKS } from './attacks.ts';
import { createGround, type Ground } from './ground.ts';
import { tryAttack } from './try-attack.ts';

/** An attack that got through, and how it is known. */
export interface Success {
  readonly attack: string;
  readonly signs: readonly string[];
}

export interface Tried {
  readonly tried: number;
  readonly successes: readonly Success[];
}

/** A folder of the machine that is there, read-only, in the sandbox. */
export const VISIBLE = join(import.meta.dirname, '../../../node_modules/.cache');
const SECRET_VARIABLE = 'GROUND_DATABASE_URL';

export interface TryOptions {
  readonly mode: Extract<SandboxMode, 'strict' | 'off'>;
  /** Default: bubblewrap. */
  readonly engine?: EngineChoice;
  readonly visible?: string;
  readonly onProgress?: (text: string) => void;
}

/**
 * Tries every attack on a ground that is whole, with the home of this process in it and a secret in a variable. Rejects
 * where `strict` finds no engine.
 */
export async function tryAll({ mode, engine, visible, onProgress }: TryOptions): Promise<Tried> {
  // Mounts of the machine itself are nothing to play with.
  const attacks = mode === 'off' ? ATTACKS.filter(({ kind }) => kind !== 'mount') : ATTACKS;
  const home = process.env['HOME'];
  const successes: Success[] = [];
  let site = await openSite(mode, { engine, visible });
  try {
    for (const attack of attacks) {
      onProgress?.(`${attack.kind}: ${attack.name}`);
      const signs = await tryAttack(attack, site.ground, site.sandbox);
      if (signs.length === 0) continue;
      successes.push({ attack: `${attack.kind}: ${attack.name}`, signs });
      await site.ground.close();
      site = await openSite(mode, { engine, visible });
    }
  } finally {
    await site.ground.close();
    leaveHome(home);
  }
  return { tried: attacks.length, successes };
}

/** Puts back what `openSite` took. */
export function leaveHome(home: string | undefined): void {
  if (home === undefined) Reflect.deleteProperty(process.env, 'HOME');
  else process.env['HOME'] = home;
  Reflect.deleteProperty(process.env, SECRET_VARIABLE);
}

export interface Site {
  readonly ground: Ground;
  readonly sandbox?: Sandbox;
}

export interface SiteOptions {
  readonly engine?: EngineChoice | undefined;
  readonly visible?: string | undefined;
}

/** A ground with the sandbox around its workspace; its home and its secret are this process's until it is left. */
export async function openSite(
  mode: TryOptions['mode'],
  { engine = 'bubblewrap', visible = VISIBLE }: SiteOptions = {},
): Promise<Site> {
  const ground = await createGround(visible);
  process.env['HOME'] = ground.home;
  process.env[SECRET_VARIABLE] = ground.secret;
  const { workspace: root, repository } = ground;
  const dependencies = [join(repository, 'node_modules', 'dep')];
  const policy = () =>
    workspacePolicy({ root, repository, dependencies }, { network: false, passEnv: [], read: [], write: [] });
  const { sandbox } = await openSandbox({ mode, policy, engine, isForeign: false });
  return sandbox === undefined ? { ground } : { ground, sandbox };
}
