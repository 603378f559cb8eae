import { homedir, userInfo } from 'node:os';

/** Id of the user that ralph runs as. It needs no entry in the list of users: containers often run with ids without one. */
export function ownUserId(): number {
  return process.getuid!();
}

/** Absolute path of the home folder: `HOME`, or that of the user's entry; undefined if there is neither. */
export function homeFolder(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/** Home folders of the user, as `HOME` and the user's entry name them. */
export function homeFolders(): string[] {
  return [homeFolder(), registeredHome()].filter((path) => path !== undefined);
}

function registeredHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}
