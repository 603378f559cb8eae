import { join } from 'node:path';
import { execaSync } from 'execa';

export interface Flooded {
  readonly what: string;
  readonly exitCode: number | null;
  /** Characters that came, and that were kept. */
  readonly seen: number;
  readonly kept: number;
  readonly head: string;
  readonly tail: string;
  readonly peakMb: number;
}

/** Each writes so many bytes, begins with `HEAD` and ends with `TAIL`. */
const FLOODS: Readonly<Record<string, (bytes: number) => string>> = {
  'short lines': (bytes) => `echo HEAD; yes 'a line of output' | head -c ${bytes}; echo TAIL`,
  'one giant line': (bytes) => `echo HEAD; head -c ${bytes} /dev/zero | tr '\\0' a; echo TAIL`,
  binary: (bytes) =>
    `echo HEAD; yes "$(printf '\\377\\376\\001\\200\\033[2J')" | head -c ${bytes}; echo TAIL`,
  'on standard error': (bytes) => `exec >&2; echo HEAD; yes 'a line of output' | head -c ${bytes}; echo TAIL`,
};

/** Takes each flood in a process of its own. */
export function takeFloods(bytes: number, confined: boolean, onProgress: (text: string) => void): Flooded[] {
  return Object.entries(FLOODS).map(([what, command]) => {
    onProgress(`${what}, ${Math.round(bytes / 1e6)} MB${confined ? ', confined' : ''}`);
    const args = [join(import.meta.dirname, 'flood-run.ts'), command(bytes), confined ? 'confined' : 'free'];
    const { stdout, stderr } = execaSync(process.execPath, args, { reject: false });
    if (stdout === '') throw new Error(`The flood could not be taken: ${stderr.slice(-500)}`);
    return { what, ...(JSON.parse(stdout) as Omit<Flooded, 'what'>) };
  });
}
