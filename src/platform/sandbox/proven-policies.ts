import { createHash } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { textOf } from '../files/text-of.ts';
import { version } from '../version.ts';
import { mountArguments } from './mounts.ts';
import type { SandboxPolicy } from './sandbox.ts';

/** Signs of the policies with which this process has run a program. */
const here = new Set<string>();

/**
 * Whether a program has run with a policy: in this process, or since the machine started, as a file of ours says. A wrong
 * answer makes a program fail to start; it never runs without the sandbox.
 */
export interface ProvenPolicy {
  readonly isProven: boolean;
  remember(): void;
  /** The engine has refused the policy after all. */
  forget(): void;
}

/**
 * `file`: absolute path; undefined: only this process remembers. The place of the workspace does not matter, nor what can be
 * read besides: such a mount is left out where its place is missing, and nothing else can fail about it.
 */
export function provenPolicy(engine: string, policy: SandboxPolicy, file: string | undefined): ProvenPolicy {
  const sign = signOf(engine, policy);
  // Other workspaces of this process have other files.
  if (file !== undefined && textOf(file) === sign) here.add(sign);
  return {
    isProven: here.has(sign),
    remember() {
      here.add(sign);
      if (file === undefined || textOf(file) === sign) return;
      try {
        writeFileSync(file, sign, { mode: 0o600 });
      } catch {
        // The next process asks again.
      }
    },
    forget() {
      here.delete(sign);
      if (file !== undefined) rmSync(file, { force: true });
    },
  };
}

function signOf(engine: string, policy: SandboxPolicy): string {
  const { network, limits } = policy;
  const [workspace = ''] = policy.write;
  const machine = [textOf('/proc/sys/kernel/random/boot_id'), release(), version()];
  const program = [engine, statSync(engine, { throwIfNoEntry: false })?.mtimeMs];
  const text = JSON.stringify([machine, program, network, limits, mountArguments({ ...policy, read: [] })]);
  return createHash('sha256').update(text.replaceAll(workspace, '')).digest('hex');
}
