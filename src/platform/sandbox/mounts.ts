import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join, sep } from 'node:path';
import { SYSTEM_FOLDERS } from './hidden-places.ts';
import type { SandboxPolicy } from './sandbox.ts';

interface Mount {
  readonly at: string;
  readonly args: readonly string[];
}

/** Folders in /proc that root can write without a capability; a program named in core_pattern runs outside, as root. */
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
  '--proc',
  '/proc',
  ...KERNEL_SETTINGS.flatMap((name) => ['--ro-bind-try', `/proc/${name}`, `/proc/${name}`]),
  ...['/proc/keys', '/proc/key-users'].filter(existsSync).flatMap((path) => ['--ro-bind', '/dev/null', path]),
];

/**
 * The mounts of a policy as arguments of bubblewrap(1): the system's folders read-only, then outer paths before inner
 * ones, so that the innermost path decides. Of two rules for one path the more permissive one applies.
 */
export function mountArguments({ write, read, scratch, hide, blank, limits }: SandboxPolicy): string[] {
  const inMemory = (at: string): string[] => [...sizeOf(limits), '--tmpfs', at];
  const mounts: Mount[] = [
    // A folder or a socket may have been removed since it was found, and a mount needs an existing place.
    ...hide.filter(existsSync).map((at) => ({ at, args: inMemory(at) })),
    ...blank.filter(existsSync).map((at) => ({ at, args: ['--ro-bind', '/dev/null', at] })),
    ...read.map(({ from, at }) => ({ at, args: ['--ro-bind-try', from, at] })),
    ...write.map((at) => ({ at, args: ['--bind', at, at] })),
    ...scratch.flatMap((folder) => scratchMounts(folder, inMemory)),
  ];
  const byPlace = new Map(mounts.map((mount) => [mount.at, mount]));
  const inward = [...byPlace.values()].sort((a, b) => depthOf(a.at) - depthOf(b.at));
  return [...systemMounts(), ...inward.flatMap(({ args }) => args), '--remount-ro', sep];
}

/** A root folder with nothing but the system's folders, so that one that somebody creates later is not visible either. */
function systemMounts(): string[] {
  const folders = SYSTEM_FOLDERS.map((name) => sep + name).flatMap((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    return stats.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
  });
  return ['--tmpfs', sep, ...folders, '--dev', '/dev', ...PROC];
}

/** Written by an earlier run without a sandbox; mounted, it could not be written again. */
const BUILD_INFO = /\.tsbuildinfo$/;

/** An empty folder in memory, with each entry of the real one mounted read-only. */
function scratchMounts(folder: string, inMemory: (at: string) => string[]): Mount[] {
  const names = readdirSync(folder).filter((name) => !BUILD_INFO.test(name));
  const entries = names.map((name) => join(folder, name));
  return [
    { at: folder, args: inMemory(folder) },
    ...entries.map((at) => ({ at, args: ['--ro-bind', at, at] })),
  ];
}

/** Each folder in memory may take all the memory of the program, but no more. */
function sizeOf(limits: SandboxPolicy['limits']): string[] {
  const most = limits?.memoryBytes ?? Infinity;
  return most === Infinity ? [] : ['--size', String(most)];
}

function depthOf(path: string): number {
  return path.split(sep).filter((part) => part !== '').length;
}
