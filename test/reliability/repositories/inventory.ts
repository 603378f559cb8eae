import { createHash } from 'node:crypto';
import { closeSync, lstatSync, openSync, readSync, readdirSync, readlinkSync } from 'node:fs';

/** Descriptions of files by path (relative, bytes as latin1). Two descriptions are equal if the files are. */
export type Inventory = ReadonlyMap<string, string>;

const CHUNK = Buffer.alloc(1 << 20);

/**
 * Describes everything below a folder, including `.git`: type, mode, modification time and content hash of files, targets of
 * links. Ralph's own `.aiwg/ralph` is left out.
 */
export function takeInventory(folder: string): Inventory {
  const found = new Map<string, string>();
  const walk = (at: Buffer, path: string): void => {
    for (const name of readdirSync(at, { encoding: 'buffer' })) {
      const inner = Buffer.concat([at, Buffer.from('/'), name]);
      const innerPath = path === '' ? name.toString('latin1') : `${path}/${name.toString('latin1')}`;
      if (isRalphFolder(innerPath)) continue;
      found.set(innerPath, describe(inner));
      if (lstatSync(inner).isDirectory()) walk(inner, innerPath);
    }
  };
  walk(Buffer.from(folder), '');
  return found;
}

/** The description of a file with this content and any modification time. */
export function withContent(line: string, content: Buffer): string {
  return line.replace(/ \S+ \S+$/, ` * ${createHash('sha1').update(content).digest('hex')}`);
}

/** A description without the modification time. */
export function withoutTime(line: string): string {
  return line.replace(/ \S+ (\S+)$/, ' * $1');
}

const MAX_SHOWN = 8;

/** The differences between two inventories as text, one line for each path, at most eight. */
export function differences(before: Inventory, after: Inventory): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  const changed = [...paths].filter(
    (path) => before.get(path) !== after.get(path) && !isNewAiwgFolder(path, before),
  );
  const rest = changed.length > MAX_SHOWN ? [`and ${changed.length - MAX_SHOWN} more`] : [];
  const shown = changed
    .slice(0, MAX_SHOWN)
    .map(
      (path) => `${JSON.stringify(path)}: ${before.get(path) ?? 'nothing'} → ${after.get(path) ?? 'nothing'}`,
    );
  return [...shown, ...rest];
}

function isRalphFolder(path: string): boolean {
  return /(^|\/)\.aiwg\/ralph$/.test(path);
}

/** Ralph may make the folder `.aiwg`, but not change an existing one. */
function isNewAiwgFolder(path: string, before: Inventory): boolean {
  return /(^|\/)\.aiwg$/.test(path) && !before.has(path);
}

function describe(path: Buffer): string {
  const stat = lstatSync(path);
  const mode = (stat.mode & 0o7777).toString(8);
  if (stat.isSymbolicLink()) return `link ${readlinkSync(path, { encoding: 'buffer' }).toString('latin1')}`;
  if (stat.isDirectory()) return `folder ${mode} ${stat.uid}`;
  if (!stat.isFile()) return `special ${stat.mode}`;
  return `file ${mode} ${stat.uid} ${stat.mtimeMs} ${hashOf(path, stat)}`;
}

/** Reads a file in pieces. A large sparse file is described by its size. */
function hashOf(path: Buffer, { size, blocks }: { readonly size: number; readonly blocks: number }): string {
  const hash = createHash('sha1');
  if (size > 1 << 28 && blocks * 512 < size / 2) return `sparse-${size}`;
  const file = openSync(path, 'r');
  try {
    for (let read = readSync(file, CHUNK); read > 0; read = readSync(file, CHUNK)) {
      hash.update(CHUNK.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}
