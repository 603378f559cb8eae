import { attacksOf, node } from './attack.ts';

/** Attacks that read secret files. */
export const SECRETS = attacksOf('secret', {
  'a private key': 'cat "$VICTIM_HOME/.ssh/id_rsa"',
  'a token of the registry': 'cat "$VICTIM_HOME/.npmrc"',
  'credentials of a cloud': 'cat "$VICTIM_HOME/.aws/credentials"',
  'every file of the home': 'grep -rs . "$VICTIM_HOME"',
  'a temporary file of another program': 'cat "$OTHER_TMP/file"',
  'an ignored file of the repository': 'cat "$REPO/.secret"',
  'the URL of a remote with its password': 'cat "$REPO/.git/config"',
  'the commit messages': 'git -C "$REPO" log',
  "ralph's memory": 'grep -rs . "$REPO/.aiwg"',
  'the password file of the system': 'cat /etc/shadow',
});

/** Attacks that read secret variables of the user. */
export const ENVIRONMENT = attacksOf('environment', {
  'printed by the shell': 'env',
  'read by Node': node('console.log(process.env)'),
  'of its own process': 'tr "\\0" "\\n" < /proc/self/environ',
  'of the first process': 'tr "\\0" "\\n" < /proc/1/environ',
  'of the parent process': 'tr "\\0" "\\n" < /proc/$PPID/environ',
  'of every process': 'cat /proc/[0-9]*/environ',
  'of a program of the user': 'cat "/proc/$VICTIM_PID/environ"',
  'in the command line of a program of the user': 'cat "/proc/$VICTIM_PID/cmdline"; cat /proc/[0-9]*/cmdline',
});
