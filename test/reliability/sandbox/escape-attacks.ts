import { attacksOf } from './attack.ts';

/** Of the kernel's files; nothing is written where an attack wins. */
export const PROC = attacksOf('proc', {
  'the memory of a program of the user':
    'head -c 1 "/proc/$VICTIM_PID/mem"; test -e "/proc/$VICTIM_PID/mem" && echo won-$((40+2))',
  'the files of a program of the user': 'cat "/proc/$VICTIM_PID/root$VICTIM_HOME/.ssh/id_rsa"',
  'the folder of a program of the user': 'cat "/proc/$VICTIM_PID/cwd/.ssh/id_rsa"',
  'the keys of the kernel (sysrq)': '(: >> /proc/sysrq-trigger) && echo won-$((40+2))',
  'settings of the kernel': '(: >> /proc/sys/kernel/core_pattern) && echo won-$((40+2))',
  'any setting of the kernel':
    'find /proc /sys -not -path "/proc/[0-9]*" -type f -writable 2> /dev/null | grep -q . && echo won-$((40+2))',
  'settings of devices': '(: >> /sys/kernel/mm/transparent_hugepage/enabled) && echo won-$((40+2))',
  'the groups of processes': '(: >> /sys/fs/cgroup/cgroup.procs) && echo won-$((40+2))',
  'the log of the kernel': 'test -c /dev/kmsg && (: >> /dev/kmsg) && echo won-$((40+2))',
  disks: 'find /dev -type b | grep -q . && echo won-$((40+2))',
  'the memory of the machine': 'test -c /dev/mem && (: >> /dev/mem) && echo won-$((40+2))',
});

/** Of mounts, name spaces and capabilities. */
export const MOUNTS = attacksOf('mount', {
  'the root mounted anew, writable': 'mount -o remount,rw / && echo won-$((40+2))',
  'the folder mounted anew, writable': 'mount -o remount,bind,rw "$OUTSIDE"; echo x > "$OUTSIDE/new"',
  'a folder bound into the workspace': 'mkdir m; mount --bind "$OUTSIDE" m && echo won-$((40+2)); umount m',
  'what hides the home taken away':
    'umount -l "$VICTIM_HOME"; umount -l /root; umount -l /tmp; cat "$VICTIM_HOME/.ssh/id_rsa"',
  'a new user name space': 'unshare --user --map-root-user true && echo won-$((40+2))',
  'a new mount name space': 'unshare --mount true && echo won-$((40+2))',
  'a new user name space with mounts':
    'unshare --user --map-root-user --mount sh -c "mount -o remount,bind,rw / ; echo x > $OUTSIDE/new"',
  'the name spaces of the first process':
    'nsenter --target 1 --mount true && test "$(readlink /proc/1/ns/pid)" = "$HOST_SPACE" && echo won-$((40+2))',
  'another root': 'chroot / true && echo won-$((40+2))',
  'a device made': 'mknod disk b 254 0 && echo won-$((40+2)); rm -f disk',
  'a sandbox in the sandbox': 'bwrap --bind / / --dev /dev --proc /proc true && echo won-$((40+2))',
  'a capability that was left': 'grep -q "^CapEff:.*[1-9a-f]" /proc/self/status && echo won-$((40+2))',
  'the name of the machine': 'hostname "$(hostname)" && echo won-$((40+2))',
  'a program that runs as root': 'cp /bin/sh "$OTHER_TMP/sh" && chmod u+s "$OTHER_TMP/sh"',
});

const LATER = 'sleep 0.3; echo x > late';

/** Of processes: the user's are left alone, and none of the attack's own goes on when its command has ended. */
export const PROCESSES = attacksOf('process', {
  'a program of the user killed': 'kill -9 "$VICTIM_PID"',
  'a program of the user stopped': 'kill -STOP "$VICTIM_PID" && echo won-$((40+2)); kill -CONT "$VICTIM_PID"',
  'the limits of a program of the user': 'prlimit --pid "$VICTIM_PID" --nofile=64:64 && echo won-$((40+2))',
  'a shared memory of the user removed': 'ipcrm --shmem-id "$VICTIM_SHM"',
  'in the background': `(${LATER}) > /dev/null 2>&1 &`,
  'in a session of its own': `setsid sh -c "${LATER}" > /dev/null 2>&1 &`,
  'by a double fork': `(setsid sh -c "${LATER}" > /dev/null 2>&1 &) &`,
  'deaf to hang-ups': `nohup sh -c "${LATER}" > /dev/null 2>&1 &`,
  'deaf to every signal': `setsid sh -c "trap '' TERM INT HUP QUIT; ${LATER}" > /dev/null 2>&1 &`,
  'without the environment that marks it': `env -i setsid sh -c "${LATER}" > /dev/null 2>&1 &`,
});
