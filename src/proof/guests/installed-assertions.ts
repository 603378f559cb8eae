import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { NoteReplacement } from './guard-realm.ts';

type Named = readonly [name: string, owner: object];

export function isPackageManager(entry: string): boolean {
  return /(^|\/)(npm|npx|pnpm|yarn|corepack)(-cli)?(\.[cm]?js)?$/.test(entry);
}

export function isMocha(entry: string): boolean {
  return /\/_?mocha(\.[cm]?js)?$/.test(entry);
}

/** The assertions of the installed chai and tape: the objects whose functions compare. Empty where none is installed. */
export async function installedAssertions(cwd: string): Promise<Named[]> {
  const chai = await load(cwd, 'chai');
  const tape = await load(cwd, 'tape');
  const found: (readonly [string, unknown])[] = [
    ['chai.assert', chai?.['assert']],
    ['expect()', prototypeOf(chai?.['Assertion'])],
    ['tape.Test', prototypeOf(tape?.['Test'])],
  ];
  return found.filter((it): it is Named => typeof it[1] === 'object' || typeof it[1] === 'function');
}

/**
 * Notes who registers hooks, adds tests or changes the number of retries in mocha. All of it still works as before. `trace`:
 * the stack of its caller.
 */
export async function guardMocha(cwd: string, note: NoteReplacement, trace: () => string): Promise<void> {
  const mocha = await load(cwd, 'mocha');
  const steps = [
    'beforeAll',
    'beforeEach',
    'afterAll',
    'afterEach',
    'addTest',
    'addSuite',
    'retries',
    'skip',
  ];
  for (const type of ['Suite', 'Runnable', 'Test', 'Hook', 'Context']) {
    const owner = prototypeOf(mocha?.[type]) as Record<string, unknown> | undefined;
    for (const name of steps) {
      const real = owner === undefined || !Object.hasOwn(owner, name) ? undefined : owner[name];
      if (typeof real !== 'function') continue;
      const noting = function (this: unknown, ...given: unknown[]): unknown {
        if (given.length > 0 || name === 'skip') note(`${name} of mocha`, trace());
        return Reflect.apply(real, this, given) as unknown;
      };
      owner![name] = noting;
    }
  }
}

function prototypeOf(type: unknown): unknown {
  return typeof type === 'function' ? (type.prototype as unknown) : undefined;
}

/** The exports of an installed package, the same that the tests get; undefined if it is not there or cannot be loaded. */
async function load(cwd: string, name: string): Promise<Record<string, unknown> | undefined> {
  try {
    const path = createRequire(join(cwd, 'x.js')).resolve(name);
    const loaded = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
    const common = loaded['default'];
    return typeof common === 'object' || typeof common === 'function'
      ? { ...loaded, ...(common as Record<string, unknown>) }
      : loaded;
  } catch {
    return undefined;
  }
}
