import { isAbsolute, join } from 'node:path';
import { homeFolders } from '../processes/own-user.ts';

/** Variables of a process that say where its user keeps state. */
export type StateVariables = Readonly<Record<string, string | undefined>>;

/**
 * Absolute path of the folder in which ralph keeps what belongs to the user and to no repository. It need not exist. A
 * `HOME` that is not absolute counts as none, because the folder would be another one for each current folder.
 */
export function stateFolder({ XDG_STATE_HOME: state = '', HOME }: StateVariables): string {
  const homes = HOME === undefined ? homeFolders() : [HOME, ...homeFolders()];
  const home = homes.find(isAbsolute) ?? '/';
  return join(isAbsolute(state) ? state : join(home, '.local', 'state'), 'ralph');
}
