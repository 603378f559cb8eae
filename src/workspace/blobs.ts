import { git, type GitRequest } from './git.ts';

/**
 * Contents by object id, in one call of `git cat-file --batch`. An id that is not there is not in the map.
 * Throws RalphError where git fails.
 */
export async function readBlobs(
  ids: readonly string[],
  own: GitRequest,
): Promise<ReadonlyMap<string, Buffer>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const input = wanted.map((id) => `${id}\n`).join('');
  return parseBatch(await git(['cat-file', '--batch'], { ...own, input }));
}

/** Records `<id> blob <size>\n<content>\n`, or `<id> missing\n` (git-cat-file(1), "Batch output"). */
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
