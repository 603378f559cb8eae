import { join } from 'node:path';
import { execaSync } from 'execa';

/** Result of running a program with a large output. */
export interface FloodResult {
  readonly name: string;
  readonly exitCode: number | null;
  /** Number of characters received. */
  readonly seen: number;
  /** Number of characters kept. */
  readonly kept: number;
  /** First 20 characters kept. */
  readonly head: string;
  /** Last 20 characters kept. */
  readonly tail: string;
  readonly peakMb: number;
}

/** Shell commands that print `HEAD`, this number of bytes, and `TAIL`. */
const FLOODS: Readonly<Record<string, (bytes: number) => string>> = {
  'short lines': (bytes) => `echo HEAD; yes 'a line of output' | head -c ${bytes}; echo TAIL`,
  'one giant line': (bytes) => `echo HEAD; head -c ${bytes} /dev/zero | tr '\\0' a; echo TAIL`,
  binary: (bytes) =>
    `echo HEAD; yes "$(printf '\\377\\376\\001\\200\\033[2J')" | head -c ${bytes}; echo TAIL`,
  'on standard error': (bytes) => `exec >&2; echo HEAD; yes 'a line of output' | head -c ${bytes}; echo TAIL`,
};

/** Runs each command through ralph, in a process of its own so that its memory can be measured. */
export function takeFloods(
  bytes: number,
  confined: boolean,
  onProgress: (text: string) => void,
): FloodResult[] {
  return Object.entries(FLOODS).map(([name, command]) => {
    onProgress(`${name}, ${Math.round(bytes / 1e6)} MB${confined ? ', confined' : ''}`);
    const args = [join(import.meta.dirname, 'flood-run.ts'), command(bytes), confined ? 'confined' : 'free'];
    const { stdout, stderr } = execaSync(process.execPath, args, { reject: false });
    if (stdout === '') throw new Error(`flood-run.ts failed: ${stderr.slice(-500)}`);
    return { name, ...(JSON.parse(stdout) as Omit<FloodResult, 'name'>) };
  });
}
