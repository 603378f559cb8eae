import { expect, test } from 'vitest';
import { syscallFilter } from '../../../src/platform/sandbox/syscall-filter.ts';

const ALLOW = 0x7fff_0000;
const errno = (number: number): number => 0x0005_0000 + number;
const [EPERM, ENOSYS, EAFNOSUPPORT] = [errno(1), errno(38), errno(97)];
const X64 = 0xc000_003e;
const ARM64 = 0xc000_00b7;

/** Runs a filter on one call as the kernel does (seccomp(2)); `first` is the call's first argument, `args` are all of them. */
function run(
  filter: Buffer,
  call: { arch: number; number: number; first?: number; args?: readonly number[] },
): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number, 0);
  data.writeUInt32LE(call.arch, 4);
  for (const [at, arg] of (call.args ?? [call.first ?? 0]).entries())
    data.writeBigUInt64LE(BigInt(arg), 16 + 8 * at);
  let value = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const code = filter.readUInt16LE(at);
    const k = filter.readUInt32LE(at + 4);
    if (code === 0x06) return k;
    if (code === 0x20) value = data.readUInt32LE(k);
    else at += 8 * filter.readUInt8(at + (jumps(code, value, k) ? 2 : 3));
  }
  throw new Error('the filter ends without an answer');
}

function jumps(code: number, value: number, k: number): boolean {
  if (code === 0x45) return (value & k) !== 0;
  return code === 0x15 ? value === k : value >= k;
}

const [CREATE, SETUID] = [0o101, 0o4755];

test.each([
  ['x64', 'chmod', { arch: X64, number: 90, args: [0, 0o2755] }, ALLOW],
  ['x64', 'chmod to setuid', { arch: X64, number: 90, args: [0, SETUID] }, EPERM],
  ['x64', 'fchmodat2 to setuid', { arch: X64, number: 452, args: [0, 0, SETUID] }, EPERM],
  ['x64', 'mknodat of a setuid file', { arch: X64, number: 259, args: [0, 0, SETUID] }, EPERM],
  [
    'x64',
    'openat that creates a setuid file',
    { arch: X64, number: 257, args: [0, 0, CREATE, SETUID] },
    EPERM,
  ],
  ['x64', 'openat that creates a file', { arch: X64, number: 257, args: [0, 0, CREATE, 0o644] }, ALLOW],
  ['x64', 'openat without a mode', { arch: X64, number: 257, args: [0, 0, 0o2, SETUID] }, ALLOW],
  ['x64', 'shmget of a page', { arch: X64, number: 29, args: [0, 4096] }, ALLOW],
  ['x64', 'shmget of a large segment', { arch: X64, number: 29, args: [0, 2 ** 21] }, EPERM],
  ['x64', 'shmget of 4 GiB', { arch: X64, number: 29, args: [0, 2 ** 32] }, EPERM],
  ['arm64', 'shmget of a large segment', { arch: ARM64, number: 194, args: [0, 2 ** 21] }, EPERM],
  ['x64', 'openat2', { arch: X64, number: 437 }, ENOSYS],
  ['arm64', 'fchmodat to setuid', { arch: ARM64, number: 53, args: [0, 0, SETUID] }, EPERM],
  [
    'arm64',
    'openat that creates a setuid file',
    { arch: ARM64, number: 56, args: [0, 0, CREATE, SETUID] },
    EPERM,
  ],
  ['x64', 'read', { arch: X64, number: 0 }, ALLOW],
  ['x64', 'execve', { arch: X64, number: 59 }, ALLOW],
  ['x64', 'keyctl', { arch: X64, number: 250 }, EPERM],
  ['x64', 'io_uring_setup', { arch: X64, number: 425 }, EPERM],
  ['x64', 'ptrace', { arch: X64, number: 101 }, EPERM],
  ['x64', 'mount_setattr', { arch: X64, number: 442 }, EPERM],
  ['x64', 'a UNIX socket', { arch: X64, number: 41, first: 1 }, ALLOW],
  ['x64', 'a netlink socket', { arch: X64, number: 41, first: 16 }, ALLOW],
  ['x64', 'a socket of a virtual machine', { arch: X64, number: 41, first: 40 }, EAFNOSUPPORT],
  ['x64', 'keyctl of the x32 variant', { arch: X64, number: 0x4000_0000 + 250 }, ENOSYS],
  ['x64', 'a call of 32-bit programs', { arch: 0x4000_0003, number: 288 }, ENOSYS],
  ['arm64', 'keyctl', { arch: ARM64, number: 219 }, EPERM],
  ['arm64', 'read', { arch: ARM64, number: 63 }, ALLOW],
  ['arm64', 'an IPv4 socket', { arch: ARM64, number: 198, first: 2 }, ALLOW],
])('the filter for %s answers %s', (arch, _, call, answer) => {
  expect(run(syscallFilter(arch)!, call)).toBe(answer);
});

test('there is no filter for an unknown processor', () => {
  expect(syscallFilter('mips')).toBeUndefined();
});
