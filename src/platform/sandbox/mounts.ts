import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import type { SandboxPolicy } from './sandbox.ts';

interface Mount {
  readonly at: string;
  readonly args: readonly string[];
}

/** What root may write there needs no capability: a program named in core_pattern runs outside, as root. */
const KERNEL_SETTINGS = [
  'sys',
  'sysrq-trigger',
  'irq',
  'bus',
  'acpi',
  'scsi',
  'mtrr',
  'pressure',
  'fs',
  'asound',
];
const PROC = [
  ...['--proc', '/proc'],
  ...KERNEL_SETTINGS.flatMap((name) => ['--ro-bind-try', `/proc/${name}`, `/proc/${name}`]),
];

/**
 * The mounts of a policy as arguments of bubblewrap(1): everything read-only, then from the outside in, so that
 * the innermost path decides; of two for the same path the freer one.
 */
export function mountArguments({ write, read, hide, blank }: SandboxPolicy): string[] {
  const mounts: Mount[] = [
    ...hide.map((at) => ({ at, args: ['--tmpfs', at] })),
    // A socket may have gone since it was found, and nothing can be mounted where nothing is.
    ...blank.filter(existsSync).map((at) => ({ at, args: ['--ro-bind', '/dev/null', at] })),
    ...read.map(({ from, at }) => ({ at, args: ['--ro-bind-try', from, at] })),
    ...write.map((at) => ({ at, args: ['--bind', at, at] })),
  ];
  const byPlace = new Map(mounts.map((mount) => [mount.at, mount]));
  const inward = [...byPlace.values()].sort((a, b) => depthOf(a.at) - depthOf(b.at));
  return ['--ro-bind', '/', '/', '--dev', '/dev', ...PROC, ...inward.flatMap(({ args }) => args)];
}

function depthOf(path: string): number {
  return path.split(sep).filter((part) => part !== '').length;
}
