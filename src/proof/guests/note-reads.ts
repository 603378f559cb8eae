import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

type AnyFunction = (this: unknown, ...given: unknown[]) => unknown;

/** Notes each read of one of these files (absolute paths) by a function of `node:fs`. They still work as before. */
export function noteReads(files: ReadonlySet<string>, note: (file: string) => void): void {
  if (files.size === 0) return;
  const watched: readonly (readonly [object, readonly string[]])[] = [
    [fs, ['readFile', 'readFileSync', 'createReadStream', 'open', 'openSync']],
    [fs.promises, ['readFile', 'open']],
  ];
  for (const [owner, names] of watched) {
    for (const name of names) {
      const own = owner as Record<string, AnyFunction>;
      const real = own[name]!;
      own[name] = function (this: unknown, ...given: unknown[]): unknown {
        const file = pathOf(given[0]);
        if (file !== undefined && files.has(file)) note(file);
        return Reflect.apply(real, this, given);
      };
    }
  }
  syncBuiltinESMExports();
}

function pathOf(given: unknown): string | undefined {
  try {
    if (given instanceof URL) return fileURLToPath(given);
    return typeof given === 'string' || Buffer.isBuffer(given) ? resolve(String(given)) : undefined;
  } catch {
    return undefined;
  }
}
