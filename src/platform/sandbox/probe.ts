import { runProcess } from '../processes/process.ts';
import type { Sandbox, SandboxPolicy } from './sandbox.ts';

/** Runs `true` in the sandbox: undefined if that works, otherwise the message of the engine. Never rejects. */
export async function probe(
  sandbox: Sandbox,
  policy: SandboxPolicy,
  timeoutMs: number,
): Promise<string | undefined> {
  const { exitCode, stderr, failure } = await runProcess({
    file: '/bin/sh',
    args: ['-c', 'true'],
    // A policy for programs that only read has nothing to write.
    cwd: policy.write[0] ?? '/',
    env: process.env,
    timeoutMs,
    sandbox,
  });
  if (exitCode === 0) return undefined;
  return (failure ?? stderr).trim().split('\n')[0]?.slice(0, 300) || 'it gave no reason';
}
