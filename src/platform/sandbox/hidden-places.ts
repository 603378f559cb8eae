import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { sep } from 'node:path';
import { homeFolders } from '../processes/own-user.ts';

/** Folders of home folders, temporary files and sockets of services. */
const HIDDEN = ['/home', '/root', '/tmp', '/var/tmp', '/run', '/var/run', '/mnt', '/media'];
/** Readable by root only; hidden because ralph may run as root. */
const SECRET_FOLDERS = ['/etc/ssl/private', '/etc/sudoers.d', '/etc/NetworkManager/system-connections'];
const SECRET_FILES = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/etc/krb5.keytab',
  '/etc/ssh/ssh_host_ecdsa_key',
  '/etc/ssh/ssh_host_ed25519_key',
  '/etc/ssh/ssh_host_rsa_key',
];

/** Absolute real paths of the folders that are empty for confined programs. A home folder of `/` is left out. */
export function hiddenFolders(): string[] {
  const runtime = process.env['XDG_RUNTIME_DIR'];
  const wanted = [...HIDDEN, ...SECRET_FOLDERS, ...homeFolders(), tmpdir()];
  const real = [...wanted, ...(runtime === undefined ? [] : [runtime])].flatMap(realFolder);
  return [...new Set(real)].filter((path) => path !== sep);
}

/**
 * Files that are empty for confined programs: the system's secrets, and the sockets in the file system with a listener.
 * Those in `hidden` folders are left out, unless they lie in an `opened` one. Abstract sockets are blocked with the
 * network.
 */
export function blankFiles(hidden: readonly string[], opened: readonly string[] = []): string[] {
  const isIn = (folders: readonly string[], path: string): boolean =>
    folders.some((folder) => path.startsWith(folder + sep));
  const isHidden = (path: string): boolean => isIn(hidden, path) && !isIn(opened, path);
  return [...SECRET_FILES, ...new Set(listeningSockets())].filter(
    (path) => !isHidden(path) && existsSync(path),
  );
}

/** The last column of /proc/net/unix (proc(5)). */
function listeningSockets(): string[] {
  try {
    const lines = readFileSync('/proc/net/unix', 'utf8').split('\n').slice(1);
    return lines.map((line) => line.split(/\s+/).slice(7).join(' ')).filter((path) => path.startsWith(sep));
  } catch {
    return [];
  }
}

function realFolder(path: string): string[] {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? [real] : [];
  } catch {
    return [];
  }
}
