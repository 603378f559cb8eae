import { serveMemory } from '../../compose/mcp.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { listenForInterrupts } from '../interrupt.ts';
import { printError } from '../messages.ts';
import { version } from '../../platform/version.ts';

const MAX_WARNING_CHARS = 2000;

/** `ralph mcp`: serves until the client closes the connection. Only protocol messages go to standard output. */
export async function mcpCommand(options: {
  readonly allowWrites?: boolean;
  readonly allowEvaluate?: boolean;
}): Promise<void> {
  const warn = (text: string): void => printError(`ralph: ${text.slice(0, MAX_WARNING_CHARS)}`);
  const repositoryRoot = findRepositoryRoot(process.cwd());
  const interruption = listenForInterrupts(warn, 1);
  try {
    await serveMemory({
      repositoryRoot,
      version: version(),
      allowWrites: options.allowWrites === true,
      allowEvaluate: options.allowEvaluate === true,
      warn,
      signal: interruption.signal,
    });
    if (interruption.signal.aborted) process.exitCode = interruption.exitCode();
  } finally {
    interruption.close();
    // Otherwise a pipe that the client leaves open would keep the process alive.
    process.stdin.destroy();
  }
}
