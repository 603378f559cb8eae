/** One instruction of classic BPF (linux/filter.h): an operation, two jump distances, and a value. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

interface Architecture {
  /** AUDIT_ARCH_* (linux/audit.h). */
  readonly id: number;
  readonly socket: number;
  readonly shmget: number;
  /** Calls that set the mode of a file, with the position of the mode among the arguments. */
  readonly setModes: readonly ModeCall[];
  /** Numbers of refused system calls (asm/unistd.h). */
  readonly refused: readonly number[];
  /** Those of them by which another sandbox is built inside. */
  readonly building: readonly number[];
}

/** `flags`: position of the flags of a call that uses its mode only where it creates a file. */
interface ModeCall {
  readonly number: number;
  readonly mode: number;
  readonly flags?: number;
}

/**
 * Refused system calls, by what they reach: the keyring, which all processes of a user share (add_key, request_key,
 * keyctl); io_uring, whose work a filter does not see; memory and files of other processes (ptrace, process_vm_readv,
 * process_vm_writev, pidfd_getfd); parts of the kernel that no test needs (bpf, perf_event_open, userfaultfd,
 * open_by_handle_at, kexec, modules, ports); mounts and name spaces (mount, umount2, pivot_root, setns, open_tree,
 * move_mount, fsopen, fsmount, mount_setattr). A setuid program would lend the user's rights to other users of the machine:
 * no file gets that mode (chmod, fchmod, fchmodat, fchmodat2, mknod, mknodat, open, creat, openat). A large segment of System V
 * (shmget) belongs to no process, so that no limit on memory would see it.
 */
const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: {
    id: 0xc000_003e,
    socket: 41,
    shmget: 29,
    setModes: [
      ...[90, 91, 85, 133].map((number) => ({ number, mode: 1 })),
      ...[268, 452, 259].map((number) => ({ number, mode: 2 })),
      { number: 2, mode: 2, flags: 1 },
      { number: 257, mode: 3, flags: 2 },
    ],
    refused: [
      ...[248, 249, 250, 425, 426, 427, 101, 310, 311, 438],
      ...[321, 298, 323, 304, 246, 320, 175, 313, 176, 172, 173],
    ],
    building: [165, 166, 155, 308, 428, 429, 430, 432, 442],
  },
  arm64: {
    id: 0xc000_00b7,
    socket: 198,
    shmget: 194,
    setModes: [
      { number: 52, mode: 1 },
      ...[53, 452, 33].map((number) => ({ number, mode: 2 })),
      { number: 56, mode: 3, flags: 2 },
    ],
    refused: [
      ...[217, 218, 219, 425, 426, 427, 117, 270, 271, 438],
      ...[280, 241, 282, 265, 104, 294, 105, 273, 106],
    ],
    building: [40, 39, 41, 268, 428, 429, 430, 432, 442],
  },
};

/** Address families of sockets: UNIX, IPv4, IPv6, netlink. Others, such as AF_VSOCK, reach beyond the network name space. */
const FAMILIES = [1, 2, 10, 16];

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_ANY_BIT = 0x45;
const IF_AT_LEAST = 0x35;
const RETURN = 0x06;
/** Offsets in `struct seccomp_data`. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;
const ALLOW = 0x7fff_0000;
const EPERM = 0x0005_0001;
const ENOSYS = 0x0005_0026;
const EAFNOSUPPORT = 0x0005_0061;
/** Databases take a segment of less as their lock; IPC_PRIVATE and keys are the same here. */
const MAX_SEGMENT_BYTES = 1024 * 1024;
/** S_ISUID (inode(7)). */
const SETUID = 0o4000;
/** O_CREAT, and the bit of O_TMPFILE (asm-generic/fcntl.h). */
const CREATES = 0o100 | 0o20000000;
/** Takes its mode from memory, which a filter cannot see; programs then use openat. */
const OPENAT2 = 437;
/** From this number on, x86-64 takes calls for those of its x32 variant. */
const X32 = 0x4000_0000;

/**
 * A seccomp filter as bubblewrap(1) reads it for `--seccomp`: compiled BPF instructions of 8 bytes, little-endian. Refused
 * calls fail with EPERM, those of another architecture with ENOSYS. Undefined for a processor without a list. `mayBuild`: the
 * confined program builds a sandbox of its own, by mounts and name spaces.
 */
export function syscallFilter(arch: string = process.arch, mayBuild = false): Buffer | undefined {
  const known = ARCHITECTURES[arch];
  if (known === undefined) return undefined;
  const { id, socket, shmget, setModes } = known;
  const refused = mayBuild ? known.refused : [...known.refused, ...known.building];
  const program: readonly Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [IF_EQUAL, 1, 0, id],
    [RETURN, 0, 0, ENOSYS],
    [LOAD, 0, 0, NUMBER],
    [IF_AT_LEAST, 0, 1, X32],
    [RETURN, 0, 0, ENOSYS],
    ...refused.flatMap((number): Instruction[] => [
      [IF_EQUAL, 0, 1, number],
      [RETURN, 0, 0, EPERM],
    ]),
    [IF_EQUAL, 0, 1, OPENAT2],
    [RETURN, 0, 0, ENOSYS],
    ...setModes.flatMap(refuseSetuid),
    ...refuseLargeSegment(shmget),
    [IF_EQUAL, 1, 0, socket],
    [RETURN, 0, 0, ALLOW],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    ...FAMILIES.flatMap((family): Instruction[] => [
      [IF_EQUAL, 0, 1, family],
      [RETURN, 0, 0, ALLOW],
    ]),
    [RETURN, 0, 0, EAFNOSUPPORT],
  ];
  return Buffer.concat(program.map(encode));
}

function refuseSetuid({ number, mode, flags }: ModeCall): Instruction[] {
  const check: readonly Instruction[] = [
    [LOAD, 0, 0, argument(mode)],
    [IF_ANY_BIT, 0, 1, SETUID],
    [RETURN, 0, 0, EPERM],
    [RETURN, 0, 0, ALLOW],
  ];
  const created: readonly Instruction[] =
    flags === undefined
      ? []
      : [
          [LOAD, 0, 0, argument(flags)],
          [IF_ANY_BIT, 0, check.length - 1, CREATES],
        ];
  return [[IF_EQUAL, 0, created.length + check.length, number], ...created, ...check];
}

/** The size is the second argument; its upper half must be 0. */
function refuseLargeSegment(shmget: number): Instruction[] {
  return [
    [IF_EQUAL, 0, 6, shmget],
    [LOAD, 0, 0, argument(1) + 4],
    [IF_EQUAL, 0, 2, 0],
    [LOAD, 0, 0, argument(1)],
    [IF_AT_LEAST, 0, 1, MAX_SEGMENT_BYTES + 1],
    [RETURN, 0, 0, EPERM],
    [RETURN, 0, 0, ALLOW],
  ];
}

/** Offset of the lower half of an argument, 0-based. */
function argument(position: number): number {
  return FIRST_ARGUMENT + 8 * position;
}

/** `struct sock_filter`. */
function encode([code, ifTrue, ifFalse, value]: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
