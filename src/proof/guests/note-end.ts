/** How a process ended. */
export interface ProcessEnd {
  readonly args: readonly string[];
  readonly code: number;
  /** Whether it wrote a NUL to its output: a shell drops it. */
  readonly wroteNul: boolean;
}

/** Notes how the process ends, as JSON. `well`: it ends with exit code 0, and no NUL leaves it. */
export function noteEnd(note: (end: string) => void, well: boolean): void {
  const { stringify } = JSON;
  const { stdout } = process;
  const write = stdout.write.bind(stdout) as (chunk: unknown, ...given: unknown[]) => boolean;
  let wroteNul = false;
  stdout.write = ((chunk: unknown, ...given: unknown[]): boolean => {
    const isText = typeof chunk === 'string';
    const text = isText ? chunk : chunk instanceof Uint8Array ? Buffer.from(chunk).toString('latin1') : '';
    if (!text.includes('\0')) return write(chunk, ...given);
    wroteNul = true;
    if (!well) return write(chunk, ...given);
    const plain = text.replaceAll('\0', '');
    return write(isText ? plain : Buffer.from(plain, 'latin1'), ...given);
  }) as typeof stdout.write;
  process.on('exit', (code) => {
    note(stringify({ args: process.argv.slice(2), code, wroteNul }));
    if (well) process.exitCode = 0;
  });
}
