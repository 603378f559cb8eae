import { attacksOf, node } from './attack.ts';

/** Numbers of system calls by architecture; calls without an entry for arm64 have the same number on both. */
const CALLS = {
  add_key: { x64: 248, arm64: 217 },
  keyctl: { x64: 250, arm64: 219 },
  io_uring_setup: { x64: 425, arm64: 425 },
  bpf: { x64: 321, arm64: 280 },
  perf_event_open: { x64: 298, arm64: 241 },
  userfaultfd: { x64: 323, arm64: 282 },
  ptrace: { x64: 101, arm64: 117 },
  process_vm_readv: { x64: 310, arm64: 270 },
  fsopen: { x64: 430, arm64: 430 },
  open_tree: { x64: 428, arm64: 428 },
  unshare: { x64: 272, arm64: 97 },
  socket: { x64: 41, arm64: 198 },
  pidfd_open: { x64: 434, arm64: 434 },
  syslog: { x64: 103, arm64: 116 },
  renameat2: { x64: 316, arm64: 276 },
  init_module: { x64: 175, arm64: 105 },
  open_by_handle_at: { x64: 304, arm64: 265 },
} as const;

/** A shell command that makes a system call by Perl; `args` are Perl expressions. It says so if the call succeeds. */
function call(name: keyof typeof CALLS, ...args: readonly string[]): string {
  const number = CALLS[name][process.arch === 'arm64' ? 'arm64' : 'x64'];
  return `perl -e '$| = 1; my @a = (${args.join(', ')}); my $r = syscall(${number}, @a); print "succeeded-", 40 + 2, "\\n" if $r >= 0'`;
}

const PAGE = '("\\0" x 4096)';

/** Attacks by system calls that no tool of a test needs. */
export const KERNEL = attacksOf('kernel', {
  "a key put into the user's keyring": call('add_key', '"user"', '"ralph-testbed"', '"x"', '1', '-4'),
  "the user's keyring found": call('keyctl', '0', '-4', '0'),
  'the session keyring found': call('keyctl', '0', '-3', '0'),
  'the session keyring described': call('keyctl', '6', '-3', PAGE, '4096'),
  'the keys of the user listed': 'grep -q . /proc/keys && echo succeeded-$((40+2))',
  io_uring: call('io_uring_setup', '4', PAGE),
  'a map of eBPF': call('bpf', '0', 'pack("LLLLL", 2, 4, 4, 1, 0) . ("\\0" x 100)', '72'),
  'counters of the processor': call(
    'perf_event_open',
    'pack("LLQQQQQ", 1, 112, 0, 0, 0, 0, 0x61) . ("\\0" x 64)',
    '0',
    '-1',
    '-1',
    '0',
  ),
  'page faults handled': call('userfaultfd', '1'),
  'its own child traced':
    'sleep 1 & ' + call('ptrace', '16', '$ENV{CHILD} + 0', '0', '0').replace('perl', 'CHILD=$! perl'),
  'the first process traced': call('ptrace', '16', '1', '0', '0'),
  'the memory of the first process read': call(
    'process_vm_readv',
    '1',
    'pack("PQ", "x" x 8, 8)',
    '1',
    'pack("QQ", 0x400000, 8)',
    '1',
    '0',
  ),
  'a handle of a program of the user': call('pidfd_open', '$ENV{VICTIM_PID} + 0', '0'),
  'a new file system': call('fsopen', '"tmpfs"', '0'),
  'a mount cloned': call('open_tree', '-100', '"/"', '1'),
  'a new user namespace by the system call': call('unshare', '0x10000000'),
  'a file opened by its handle': call('open_by_handle_at', '0', 'pack("LL", 8, 1) . ("\\0" x 8)', '0'),
  'a socket of a virtual machine': call('socket', '40', '1', '0'),
  'a socket of the crypto interface': call('socket', '38', '5', '0'),
  'a socket for raw packets': call('socket', '17', '3', '0'),
  'a raw socket': call('socket', '2', '3', '255'),
  'a socket of Bluetooth': call('socket', '31', '5', '1'),
  'the log of the kernel by the system call': call('syslog', '3', PAGE, '4096'),
  'a folder exchanged with one of the repository': call(
    'renameat2',
    '-100',
    '"src"',
    '-100',
    '$ENV{REPO} . "/src"',
    '2',
  ),
  'new privileges by a program': `grep -q "^NoNewPrivs:.*0" /proc/self/status && echo succeeded-$((40+2))`,
  'a core dump': 'test "$(ulimit -c)" != 0 && echo succeeded-$((40+2))',
  'a file of 9 GiB': 'truncate -s 9G big && echo succeeded-$((40+2)); rm -f big',
  'the identity of another user': 'setpriv --reuid 1 --clear-groups true && echo succeeded-$((40+2))',
  'a setuid program in the workspace':
    'cp /bin/true s && chmod u+s s && test -u s && echo succeeded-$((40+2)); rm -f s',
  'a setuid program, created as one': node(
    'fs.writeFileSync("s", "", { mode: 0o4755 }); if (fs.statSync("s").mode & 0o4000) console.log("succeeded-" + (40 + 2)); fs.rmSync("s")',
  ),
  'a device of a virtual machine, FUSE or a tunnel':
    'for d in kvm fuse net/tun uinput vhost-net mapper/control; do test -e /dev/$d && echo succeeded-$((40+2)); done',
  'the addresses of the kernel': 'grep -qv "^0000000000000000" /proc/kallsyms && echo succeeded-$((40+2))',
  'the memory of the kernel': 'head -c 1 /proc/kcore | grep -qa . && echo succeeded-$((40+2))',
  'shared memory of the user listed':
    'awk -v id="$VICTIM_SHM" "\\$2 == id && id != 0 { print \\"succeeded-\\" 40 + 2 }" /proc/sysvipc/shm',
  'abstract sockets listed': 'grep -q "$ABSTRACT" /proc/net/unix && echo succeeded-$((40+2))',
});

/** Attacks on settings of the whole machine; they are not tried without a sandbox. */
export const MACHINE = attacksOf('machine', {
  'the clock': 'date --set "$(date)" > /dev/null && echo succeeded-$((40+2))',
  'a module of the kernel': call('init_module', PAGE, '4096', '""'),
  'a file that cannot be removed': 'touch i && chattr +i i && echo succeeded-$((40+2)); chattr -i i; rm -f i',
  'a password of sudo': 'sudo -n true && echo succeeded-$((40+2))',
  'an address of the network': 'ip address add 192.0.2.7/32 dev lo && echo succeeded-$((40+2))',
});
