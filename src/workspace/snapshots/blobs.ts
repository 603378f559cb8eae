import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { git, type GitRequest } from '../../platform/git/git.ts';

/**
 * Contents by object id. Loose objects are read from their files, all others by one `git cat-file --batch`. Missing ids are
 * not in the map. Throws RalphError if git fails.
 */
export async function readBlobs(
  ids: readonly string[],
  own: GitRequest & { readonly gitDir: string },
): Promise<ReadonlyMap<string, Buffer>> {
  const wanted = [...new Set(ids)];
  const loose = wanted.flatMap((id) => {
    const content = readLoose(id, own.gitDir);
    return content === undefined ? [] : [[id, content] as const];
  });
  const contents = new Map(loose);
  const others = wanted.filter((id) => !contents.has(id));
  if (others.length === 0) return contents;
  const input = others.map((id) => `${id}\n`).join('');
  const packed = parseBatch(await git(['cat-file', '--batch'], { ...own, input }));
  return new Map([...contents, ...packed]);
}

/** Content of a loose blob (deflated `blob <size>\0<content>`); undefined if it is packed, not a blob, or damaged. */
function readLoose(id: string, gitDir: string): Buffer | undefined {
  try {
    const object = inflateSync(readFileSync(join(gitDir, 'objects', id.slice(0, 2), id.slice(2))));
    const isWhole = createHash('sha1').update(object).digest('hex') === id;
    const isBlob = object.toString('latin1', 0, 5) === 'blob ';
    return isWhole && isBlob ? object.subarray(object.indexOf(0) + 1) : undefined;
  } catch {
    return undefined;
  }
}

/** Parses records `<id> blob <size>\n<content>\n`, or `<id> missing\n` (git-cat-file(1), "Batch output"). */
function parseBatch(output: Buffer): ReadonlyMap<string, Buffer> {
  const contents = new Map<string, Buffer>();
  for (let at = 0; at < output.length;) {
    const lineEnd = output.indexOf(0x0a, at);
    const [id, type, size] = output.toString('latin1', at, lineEnd).split(' ');
    at = lineEnd + 1;
    if (type !== 'blob') continue;
    contents.set(id!, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return contents;
}
