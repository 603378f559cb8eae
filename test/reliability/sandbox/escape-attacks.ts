import { attacksOf } from './attack.ts';

/** Attacks on files of the kernel. They open files for writing but write nothing. */
export const PROC = attacksOf('proc', {
  'the memory of a program of the user':
    'head -c 1 "/proc/$VICTIM_PID/mem"; test -e "/proc/$VICTIM_PID/mem" && echo succeeded-$((40+2))',
  'the files of a program of the user': 'cat "/proc/$VICTIM_PID/root$VICTIM_HOME/.ssh/id_rsa"',
  'the folder of a program of the user': 'cat "/proc/$VICTIM_PID/cwd/.ssh/id_rsa"',
  sysrq: '(: >> /proc/sysrq-trigger) && echo succeeded-$((40+2))',
  'settings of the kernel': '(: >> /proc/sys/kernel/core_pattern) && echo succeeded-$((40+2))',
  'any setting of the kernel':
    'find /proc /sys -not -path "/proc/[0-9]*" -type f -writable -exec test -f {} \\; -print 2> /dev/null | grep -q . && echo succeeded-$((40+2))',
  'settings of devices': '(: >> /sys/kernel/mm/transparent_hugepage/enabled) && echo succeeded-$((40+2))',
  'control groups': '(: >> /sys/fs/cgroup/cgroup.procs) && echo succeeded-$((40+2))',
  'the log of the kernel': 'test -c /dev/kmsg && (: >> /dev/kmsg) && echo succeeded-$((40+2))',
  disks: 'find /dev -type b | grep -q . && echo succeeded-$((40+2))',
  'the physical memory': 'test -c /dev/mem && (: >> /dev/mem) && echo succeeded-$((40+2))',
});

/** Attacks by mounts, namespaces and capabilities. */
export const MOUNTS = attacksOf('mount', {
  'the root remounted writable': 'mount -o remount,rw / && echo succeeded-$((40+2))',
  'a folder remounted writable': 'mount -o remount,bind,rw "$OUTSIDE"; echo x > "$OUTSIDE/new"',
  'a folder bound into the workspace':
    'mkdir m; mount --bind "$OUTSIDE" m && echo succeeded-$((40+2)); umount m',
  'the mounts over the home removed':
    'umount -l "$VICTIM_HOME"; umount -l /root; umount -l /tmp; cat "$VICTIM_HOME/.ssh/id_rsa"',
  'a new user namespace': 'unshare --user --map-root-user true && echo succeeded-$((40+2))',
  'a new mount namespace': 'unshare --mount true && echo succeeded-$((40+2))',
  'a new user namespace with mounts':
    'unshare --user --map-root-user --mount sh -c "mount -o remount,bind,rw / ; echo x > $OUTSIDE/new"',
  'the namespaces of the first process':
    'nsenter --target 1 --mount true && test "$(readlink /proc/1/ns/pid)" = "$HOST_SPACE" && echo succeeded-$((40+2))',
  'another root': 'chroot / true && echo succeeded-$((40+2))',
  'a new device': 'mknod disk b 254 0 && echo succeeded-$((40+2)); rm -f disk',
  'a sandbox in the sandbox': 'bwrap --bind / / --dev /dev --proc /proc true && echo succeeded-$((40+2))',
  'a remaining capability': 'grep -q "^CapEff:.*[1-9a-f]" /proc/self/status && echo succeeded-$((40+2))',
  'the name of the machine': 'hostname "$(hostname)" && echo succeeded-$((40+2))',
  'a setuid program': 'cp /bin/sh "$OTHER_TMP/sh" && chmod u+s "$OTHER_TMP/sh"',
});

const LATER = 'sleep 0.3; echo x > late';

/** Attacks on processes of the user, and processes of the attack that outlive its command. */
export const PROCESSES = attacksOf('process', {
  'a program of the user killed': 'kill -9 "$VICTIM_PID"',
  'a program of the user stopped':
    'kill -STOP "$VICTIM_PID" && echo succeeded-$((40+2)); kill -CONT "$VICTIM_PID"',
  'the limits of a program of the user':
    'prlimit --pid "$VICTIM_PID" --nofile=64:64 && echo succeeded-$((40+2))',
  'a shared memory of the user removed': 'ipcrm --shmem-id "$VICTIM_SHM"',
  'in the background': `(${LATER}) > /dev/null 2>&1 &`,
  'in its own session': `setsid sh -c "${LATER}" > /dev/null 2>&1 &`,
  'by a double fork': `(setsid sh -c "${LATER}" > /dev/null 2>&1 &) &`,
  'ignoring SIGHUP': `nohup sh -c "${LATER}" > /dev/null 2>&1 &`,
  'ignoring every signal': `setsid sh -c "trap '' TERM INT HUP QUIT; ${LATER}" > /dev/null 2>&1 &`,
  'without the environment by which it is found': `env -i setsid sh -c "${LATER}" > /dev/null 2>&1 &`,
});
