import {
  type Dirent,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, sep } from 'node:path';
import { homeFolders } from '../processes/own-user.ts';

/** Names of the system's own folders in `/`. Every other one is hidden: homes, services, data, other workspaces. */
export const SYSTEM_FOLDERS: readonly string[] =
  'bin sbin usr lib lib32 lib64 libx32 etc nix gnu snap sys'.split(' ');
const SYSTEM: ReadonlySet<string> = new Set([...SYSTEM_FOLDERS, 'dev', 'proc']);
/** Hidden in any case: data of services, and folders that programs expect to be able to write. */
const HIDDEN = ['/home', '/root', '/tmp', '/var', '/var/tmp', '/run', '/usr/local/etc', '/usr/local/var'];
/** Of what is hidden, the data that tools of the system read. */
export const SYSTEM_DATA: readonly string[] = [
  '/var/cache/fontconfig',
  '/var/lib/dpkg/status',
  '/var/lib/ca-certificates',
  '/var/lib/texmf',
];
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
  const wanted = [...HIDDEN, ...otherTopFolders(), ...SECRET_FOLDERS, ...homeFolders(), tmpdir()];
  const real = [...wanted, ...(runtime === undefined ? [] : [runtime])].flatMap(realFolder);
  return [...new Set(real)].filter((path) => path !== sep);
}

/** Folders and links of `/` that are not the system's. */
function otherTopFolders(): string[] {
  return readdirSync(sep).flatMap((name) => (SYSTEM.has(name) ? [] : [sep + name]));
}

/**
 * Files of `/`, and those of the system's configuration and data that not every user may read: as root, or as their owner,
 * ralph could. Tools on the PATH keep theirs: whoever installs as root with a umask of 077 has no others.
 */
function privateFiles(): string[] {
  const top = entriesOf(sep).filter((entry) => entry.isFile());
  const found = [...privateIn('/etc', false), ...privateIn('/usr/local/share', false, DATA_DEPTH)];
  const tools = (process.env['PATH'] ?? '').split(delimiter).map((folder) => dirname(folder) + sep);
  const isTool = (path: string): boolean =>
    tools.some((tool) => path.startsWith(tool) && tool.startsWith('/usr/local/share/'));
  return [...top.map(({ name }) => sep + name), ...found.filter((path) => !isTool(path))];
}

/** Folders below the system's data that are open to all and looked into: deeper, it may hold whole caches of packages. */
const DATA_DEPTH = 2;

const READABLE_BY_ALL = 0o004;
const OPEN_TO_ALL = 0o001;

/**
 * Private files below a folder; all of them if the folder itself is closed to other users. `depth`: of the folders within
 * which open ones are looked into.
 */
function privateIn(folder: string, isClosed: boolean, depth = Infinity): string[] {
  if (depth < 0 && !isClosed) return [];
  return entriesOf(folder).flatMap((entry) => {
    // The target of a link decides. Most entries of /etc are links.
    if (!entry.isDirectory() && !entry.isFile()) return [];
    const path = join(folder, entry.name);
    const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if (entry.isDirectory()) return privateIn(path, isClosed || (mode & OPEN_TO_ALL) === 0, depth - 1);
    return isClosed || (mode & READABLE_BY_ALL) === 0 ? [path] : [];
  });
}

/** Empty for a folder that cannot be read, whose files nobody can name inside either. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
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
  return [...new Set([...SECRET_FILES, ...privateFiles(), ...listeningSockets()])].filter(
    (path) => !isHidden(path) && existsSync(path) && isReachable(path),
  );
}

/**
 * False for a file below a folder that another user has closed: not even root gets there inside, as the name space gives it no
 * power over the files of others, and neither does bubblewrap, which would fail.
 */
function isReachable(path: string): boolean {
  for (let folder = dirname(path); folder !== sep; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder, { throwIfNoEntry: false }) ?? { mode: 0, uid: -1, gid: -1 };
    const isOwner = uid === process.getuid?.();
    const isOfGroup = gid === process.getgid?.() || process.getgroups?.().includes(gid) === true;
    if ((mode & (isOwner ? 0o100 : isOfGroup ? 0o010 : OPEN_TO_ALL)) === 0) return false;
  }
  return true;
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
