import { createHash } from 'node:crypto';
import { closeSync, lstatSync, openSync, readSync, readdirSync, readlinkSync } from 'node:fs';

/** Path (bytes as latin1, relative) → what lies there, in one line that tells any difference. */
export type Inventory = ReadonlyMap<string, string>;

const CHUNK = Buffer.alloc(1 << 20);

/**
 * Everything below a folder, `.git` included: kind, mode, time of the last change of each file, target of
 * links, hash of contents. Ralph's own `.aiwg/ralph` is left out.
 */
export function takeInventory(folder: string): Inventory {
  const found = new Map<string, string>();
  const walk = (at: Buffer, path: string): void => {
    for (const name of readdirSync(at, { encoding: 'buffer' })) {
      const inner = Buffer.concat([at, Buffer.from('/'), name]);
      const innerPath = path === '' ? name.toString('latin1') : `${path}/${name.toString('latin1')}`;
      if (isRalphs(innerPath)) continue;
      found.set(innerPath, describe(inner));
      if (lstatSync(inner).isDirectory()) walk(inner, innerPath);
    }
  };
  walk(Buffer.from(folder), '');
  return found;
}

/** The inventory's line of a regular file with other content. Its time is not told. */
export function withContent(line: string, content: Buffer): string {
  return line.replace(/ \S+ \S+$/, ` * ${createHash('sha1').update(content).digest('hex')}`);
}

/** Less the time of the last change, where a file was to be written. */
export function withoutTime(line: string): string {
  return line.replace(/ \S+ (\S+)$/, ' * $1');
}

const SHOWN = 8;

/** Paths whose lines differ, each with both lines; of many the first ones. */
export function differences(before: Inventory, after: Inventory): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  const changed = [...paths].filter(
    (path) => before.get(path) !== after.get(path) && !isRalphsFolder(path, before),
  );
  const rest = changed.length > SHOWN ? [`and ${changed.length - SHOWN} paths more`] : [];
  const told = changed
    .slice(0, SHOWN)
    .map(
      (path) => `${JSON.stringify(path)}: ${before.get(path) ?? 'nothing'} → ${after.get(path) ?? 'nothing'}`,
    );
  return [...told, ...rest];
}

function isRalphs(path: string): boolean {
  return /(^|\/)\.aiwg\/ralph$/.test(path);
}

/** The folder of ralph's own is made where nothing was; what the user had there is compared. */
function isRalphsFolder(path: string, before: Inventory): boolean {
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

/** Large files are read in pieces; of sparse ones the size stands for what is not there. */
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
