import { attacksOf, node } from './attack.ts';

/** Files that are not to be read. */
export const SECRETS = attacksOf('secret', {
  'a private key': 'cat "$VICTIM_HOME/.ssh/id_rsa"',
  'a token of the registry': 'cat "$VICTIM_HOME/.npmrc"',
  'credentials of a cloud': 'cat "$VICTIM_HOME/.aws/credentials"',
  'every file of the home': 'grep -rs . "$VICTIM_HOME"',
  'a temporary file of another program': 'cat "$OTHER_TMP/file"',
  'an ignored file of the repository': 'cat "$REPO/.secret"',
  'the address of a remote with its password': 'cat "$REPO/.git/config"',
  'what the history tells': 'git -C "$REPO" log',
  "ralph's memory": 'grep -rs . "$REPO/.aiwg"',
  'the password file of the system': 'cat /etc/shadow',
});

/** Variables of the user's. */
export const ENVIRONMENT = attacksOf('environment', {
  'printed by the shell': 'env',
  'read by Node': node('console.log(process.env)'),
  'of the own process': 'tr "\\0" "\\n" < /proc/self/environ',
  'of the first process': 'tr "\\0" "\\n" < /proc/1/environ',
  'of the parent process': 'tr "\\0" "\\n" < /proc/$PPID/environ',
  'of every process': 'cat /proc/[0-9]*/environ',
  'of a program of the user': 'cat "/proc/$VICTIM_PID/environ"',
  'in the command line of a program of the user': 'cat "/proc/$VICTIM_PID/cmdline"; cat /proc/[0-9]*/cmdline',
});
