import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { NoteReplacement } from './guard-realm.ts';

/** An object whose functions compare, and its name for people. */
export type NamedOwner = readonly [name: string, owner: object];

type Exports = Readonly<Record<string, unknown>>;

export function isPackageManager(entry: string): boolean {
  return /(^|\/)(npm|npx|pnpm|yarn|corepack)(-cli|-[\d.]+)?(\.[cm]?js)?$/.test(entry);
}

export function isMocha(entry: string): boolean {
  return /\/_?mocha(\.[cm]?js)?$/.test(entry);
}

/** The assertions of the installed chai and tape that can be required. Empty where there is none. */
export function requiredAssertions(cwd: string): NamedOwner[] {
  return assertionsOf(required(cwd, 'chai'), required(cwd, 'tape'));
}

/** The assertions of the installed chai and tape. Empty where there is none. */
export async function importedAssertions(cwd: string): Promise<NamedOwner[]> {
  return assertionsOf(await imported(cwd, 'chai'), await imported(cwd, 'tape'));
}

function assertionsOf(chai: Exports | undefined, tape: Exports | undefined): NamedOwner[] {
  const found: (readonly [string, unknown])[] = [
    ['chai.assert', chai?.['assert']],
    ['expect()', prototypeOf(chai?.['Assertion'])],
    ['tape.Test', prototypeOf(tape?.['Test'])],
  ];
  return found.filter((it): it is NamedOwner => typeof it[1] === 'object' || typeof it[1] === 'function');
}

/**
 * Notes who registers hooks, adds tests or changes the number of retries in mocha. All of it still works as before. `trace`:
 * the stack of its caller.
 */
export function guardMocha(cwd: string, note: NoteReplacement, trace: () => string): void {
  const mocha = required(cwd, 'mocha');
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

/** The exports of an installed package, the same that the tests get; undefined if it is not there or cannot be required. */
function required(cwd: string, name: string): Exports | undefined {
  try {
    return flat(createRequire(join(cwd, 'x.js'))(name) as Exports);
  } catch {
    return undefined;
  }
}

/** The same for packages that can only be imported. */
async function imported(cwd: string, name: string): Promise<Exports | undefined> {
  try {
    const path = createRequire(join(cwd, 'x.js')).resolve(name);
    return flat((await import(pathToFileURL(path).href)) as Exports);
  } catch {
    return undefined;
  }
}

/** With the properties of a default export beside the others. */
function flat(loaded: Exports): Exports {
  const common = loaded['default'];
  return typeof common === 'object' || typeof common === 'function'
    ? { ...loaded, ...(common as Exports) }
    : loaded;
}
