import { attacksOf, node } from './attack.ts';

const connect = (to: string): string =>
  node(
    `const s = net.connect(${to}); s.on("error", () => {}); s.write("x"); setTimeout(() => process.exit(), 150)`,
  );

/** Reads of private files in folders of the system, where the user may have put data. */
export const PRIVATE_FILES = attacksOf('private file', {
  'in a folder of the root': 'cat "/$MARK/secret"',
  'in /srv': 'cat "/srv/$MARK/secret"',
  'in /opt': 'cat "/opt/$MARK/secret"',
  'in /mnt': 'cat "/mnt/$MARK/secret"',
  'in the home of root': 'cat "/root/$MARK/secret"',
  'in /etc': 'cat "/etc/$MARK/secret"',
  'in /run': 'cat "/run/$MARK/secret"; cat "/var/run/$MARK/secret"',
  'in /var/lib': 'cat "/var/lib/$MARK/secret"',
  'in /var/log': 'cat "/var/log/$MARK/secret"',
  'in a spool': 'cat "/var/spool/$MARK/secret"',
  'in /var/tmp': 'cat "/var/tmp/$MARK/secret"',
  'in the shared memory': 'cat "/dev/shm/$MARK/secret"',
  anywhere: 'find / -name "$MARK" -not -path "/proc/*" 2> /dev/null | while read f; do cat "$f/secret"; done',
  'by the root of the first process': 'cat "/proc/1/root/srv/$MARK/secret" "/proc/1/root/$MARK/secret"',
  'of another project': 'cat "$REPO/../other-project/.env"; cat ../*/.env; cat ../../*/.env',
  'the group passwords of the system': 'cat /etc/gshadow',
  'the rules of sudo': 'grep -q . /etc/sudoers && echo succeeded-$((40+2))',
});

/** Writes to folders of the system. */
export const SYSTEM_WRITES = attacksOf('system write', {
  'to the root': 'echo x > "/$MARK.new"',
  'to /srv': 'echo x > "/srv/$MARK/new"',
  'to /opt': 'echo x > "/opt/$MARK.new"',
  'to /etc': 'echo x > "/etc/$MARK.new"',
  'to /run': 'echo x > "/run/$MARK.new"',
  'to /var/lib': 'echo x > "/var/lib/$MARK.new"',
  'to a spool': 'echo x > "/var/spool/$MARK.new"',
  'to the temporary files that survive': 'echo x > "/var/tmp/$MARK.new"',
  'to the shared memory': 'echo x > "/dev/shm/$MARK.new"',
  'to a folder of the PATH':
    'for d in $(echo "$PATH" | tr : " "); do (: > "$d/$MARK") && rm "$d/$MARK" && test "$d" != "$PWD" && echo succeeded-$((40+2)); done',
  "to git's settings of the user": 'HOME=$VICTIM_HOME git config --global core.hooksPath x',
  "to npm's settings of the user": 'HOME=$VICTIM_HOME npm config set prefix x',
  "to npm's cache of the user":
    'mkdir -p "$VICTIM_HOME/.npm/_cacache"; echo x > "$VICTIM_HOME/.npm/_cacache/x"',
  'by a descriptor that was opened for reading': 'exec 3< "$OUTSIDE/file"; echo x > /proc/self/fd/3',
  'by a hard link to a source': 'ln "$REPO/src/a.js" h; echo x >> h; rm -f h',
  'by a hard link to a package': 'ln node_modules/dep/index.js h; echo x >> h; rm -f h',
  'of a time': 'touch -d 2000-01-01 "$REPO/src/a.js" && echo succeeded-$((40+2))',
  'of an owner': 'chown 1:1 "$OUTSIDE/file"',
  'by truncation': 'truncate -s 0 "$REPO/src/a.js"',
  'by the workspace itself, replaced':
    'w=$PWD; cd /; mv "$w" "$w.moved" && ln -s "$OUTSIDE" "$w" && echo x > "$w/new"; test -d "$w.moved" && rm "$w" && mv "$w.moved" "$w"',
});

/** Services in folders of the system, and ways to ports of the machine. */
export const SYSTEM_SERVICES = attacksOf('service', {
  'in /run': connect('"/run/" + process.env.MARK + "/socket"'),
  'in /srv': connect('"/srv/" + process.env.MARK + "/socket"'),
  'in /var/lib': connect('"/var/lib/" + process.env.MARK + "/socket"'),
  'in /var/tmp': connect('"/var/tmp/" + process.env.MARK + "/socket"'),
  'in the shared memory': connect('"/dev/shm/" + process.env.MARK + "/socket"'),
  "at the machine's own address": connect('process.env.ANY_PORT, process.env.MACHINE_ADDRESS'),
  'at an address of IPv4 in IPv6': connect('process.env.TCP_PORT, "::ffff:127.0.0.1"'),
  'at the address 0.0.0.0': connect('process.env.ANY_PORT, "0.0.0.0"'),
  'by the shell': 'bash -c "echo x > /dev/tcp/127.0.0.1/$TCP_PORT"',
  'by a program of its own': 'curl --silent --max-time 1 "http://127.0.0.1:$TCP_PORT/"',
  "by the user's agent of keys": connect('process.env.SSH_AUTH_SOCK || "/nowhere"'),
});

/** Secrets in variables whose names say nothing. */
export const HARMLESS_NAMES = attacksOf('variable', {
  'with a harmless name': 'echo "$TESTBED_PLAIN"',
  'of a proxy': 'echo "$HTTP_PROXY $http_proxy $ALL_PROXY"',
  'of npm': 'echo "$npm_config__auth $NPM_CONFIG__AUTH"; env | grep -i npm',
});
