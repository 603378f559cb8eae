import { homedir } from 'node:os';
import { join } from 'node:path';

/** Variables of a process that say where its user keeps state. */
export type StateVariables = Readonly<Record<string, string | undefined>>;

/** Absolute path of the folder in which ralph keeps what belongs to the user and to no repository. It need not exist. */
export function stateFolder({ XDG_STATE_HOME: state = '', HOME: home = homedir() }: StateVariables): string {
  return join(state.startsWith('/') ? state : join(home, '.local', 'state'), 'ralph');
}
