import module from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NoteReplacement } from './guard-realm.ts';

/** Receives the absolute path or the name of a module, and the absolute path of the file that imports it. */
export type NoteImport = (name: string, importer: string) => void;

/** Notes which files outside of `node_modules` import which modules, also by computed names. */
export function noteImports(note: NoteImport): void {
  module.registerHooks?.({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const importer = pathOf(context.parentURL);
      if (importer !== undefined && !importer.includes('/node_modules/')) {
        const name = /node_modules\//.test(found.url) ? specifier : (pathOf(found.url) ?? found.url);
        note(name, importer);
      }
      return found;
    },
  });
}

/** Notes who puts a module into the cache of `require` by hand. `trace`: the stack of its caller. */
export function noteCached(note: NoteReplacement, trace: () => string): void {
  const owner = module as unknown as { _cache: Record<string, unknown> };
  owner._cache = new Proxy(owner._cache, {
    set(target, name, value) {
      const stack = trace();
      if (typeof name === 'string' && !isLoader(stack)) note(`require.cache of ${basename(name)}`, stack);
      return Reflect.set(target, name, value);
    },
  });
}

/**
 * Notes who decides what later modules and processes load: by hooks of the loader, or by options that a later process is
 * started with. `trace`: the stack of its caller.
 */
export function noteLoading(note: NoteReplacement, trace: () => string): void {
  const owner = module as unknown as Record<string, (...given: unknown[]) => unknown>;
  for (const name of ['register', 'registerHooks']) {
    const real = owner[name];
    if (real === undefined) continue;
    owner[name] = function (this: unknown, ...given: unknown[]) {
      note(`the loader by module.${name}`, trace());
      return Reflect.apply(real, this, given);
    };
  }
  module.syncBuiltinESMExports();
  process.env = noting(process.env, (key) => {
    if (key === 'NODE_OPTIONS' || key === 'NODE_PATH') note(`process.env.${key}`, trace());
  });
  process.execArgv = noting(process.execArgv, () => note('process.execArgv', trace()));
}

/** The object, with changes of its properties noted. */
function noting<Target extends object>(target: Target, note: (key: PropertyKey) => void): Target {
  return new Proxy(target, {
    set(owner, key, value) {
      note(key);
      return Reflect.set(owner, key, value);
    },
    defineProperty(owner, key, given) {
      note(key);
      return Reflect.defineProperty(owner, key, given);
    },
    deleteProperty(owner, key) {
      note(key);
      return Reflect.deleteProperty(owner, key);
    },
  });
}

/** Whether node's own loader is the caller of the trap in a stack: behind the frames of the trace and of the trap. */
function isLoader(stack: string): boolean {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames[2]?.includes('node:internal/modules/') === true;
}

function pathOf(url: string | undefined): string | undefined {
  if (url === undefined || !url.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
