import { randomUUID } from 'node:crypto';
import { killTree } from './process-tree.ts';

/** A module that Node runs. It sends one message to ralph and is then ended. */
export interface AskedProgram {
  /** Absolute path. */
  readonly module: string;
  readonly args: readonly string[];
  readonly limitMs: number;
}

/** In seconds of the processor: an endless loop ends although ralph was killed. */
const START = 'ulimit -t 300 2> /dev/null; exec "$0" "$@"';

/**
 * The first message of a program with ralph's environment and without an input, or why there was none, as the end of a
 * sentence. What the program prints goes to stderr. It ends with ralph; at the time limit so does all that it started. Never rejects.
 */
export async function askProgram({
  module,
  args,
  limitMs,
}: AskedProgram): Promise<{ readonly message: unknown } | { readonly problem: string }> {
  const { execa } = await import('execa');
  const tag = randomUUID();
  const subprocess = execa('/bin/sh', ['-c', START, process.execPath, module, ...args], {
    env: { RALPH_PROCESS_TAG: tag },
    stdio: ['ignore', 2, 2],
    ipc: true,
    serialization: 'advanced',
    buffer: false,
    reject: false,
  });
  const { nodeChildProcess, pid } = subprocess;
  const answered = new Promise<{ message: unknown }>((resolve) => {
    nodeChildProcess.once('message', (message) => resolve({ message }));
  });
  const ended = subprocess.then(({ signal, code, originalMessage = '' }) => {
    if (signal !== undefined) return { problem: `${signal} ended it` };
    return { problem: code === undefined ? 'it called process.exit' : originalMessage };
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), limitMs)));
  const answer = await Promise.race([answered, ended, late]);
  clearTimeout(timer);
  if (answer === undefined && pid !== undefined) await killTree(pid, tag);
  else subprocess.kill('SIGKILL');
  return answer ?? { problem: `it had not ended after ${limitMs / 1000} s` };
}
