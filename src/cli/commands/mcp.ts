import { serveMemory } from '../../compose/mcp.ts';
import { printable } from '../../platform/text/printable.ts';
import { redact } from '../../platform/redaction/redact.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { listenForInterrupts } from '../interrupt.ts';
import { version } from '../version.ts';

/** `ralph mcp`: until the client closes its side. Standard output is the protocol's alone. */
export async function mcpCommand(options: {
  readonly allowWrites?: boolean;
  readonly allowEvaluate?: boolean;
}): Promise<void> {
  const warn = (text: string): void => {
    process.stderr.write(`ralph: ${printable(redact(text.slice(0, 2000)))}\n`);
  };
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
    // A pipe that the client leaves open would keep the process.
    process.stdin.destroy();
  }
}
