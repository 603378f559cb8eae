import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

/** Folders of the system where machines keep data, keys and sockets. */
const PLACES = [
  '/',
  '/srv',
  '/opt',
  '/mnt',
  '/root',
  '/etc',
  '/run',
  '/var/lib',
  '/var/log',
  '/var/spool',
  '/var/tmp',
  '/dev/shm',
];

/** Private folders, each with a secret, in the folders of the system that this user may write. */
export interface PlantedPlaces {
  /** Name of the planted folders; attacks get it as MARK. */
  readonly mark: string;
  /** Absolute paths of the planted folders. */
  readonly folders: readonly string[];
  /** Descriptions of what was written beside the planted folders. */
  damage(): string[];
  close(): void;
}

/** Plants the folders: 0700, with a file `secret` (0600). A folder of the system that cannot be written is left out. */
export function plantPlaces(secret: string): PlantedPlaces {
  const mark = `ralph-testbed-${randomBytes(6).toString('hex')}`;
  const folders = PLACES.map((place) => join(place, mark)).filter((folder) => plant(folder, secret));
  const beside = PLACES.map((place) => join(place, `${mark}.new`));
  return {
    mark,
    folders,
    damage: () => beside.filter((path) => existsSync(path)).map((path) => `${path} was written`),
    close: () => {
      for (const path of [...folders, ...beside.filter((path) => existsSync(path))])
        rmSync(path, { recursive: true, force: true });
    },
  };
}

function plant(folder: string, secret: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, 'secret'), `${secret}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
