import type { AttemptContext } from '../../ports/attempt.ts';
import { plural } from '../../platform/text/plural.ts';
import { printable } from '../../platform/text/printable.ts';
import { filesBelow } from '../tools/list-files.ts';

const LEFT_OUT = /(?:^|\/)(?:node_modules|\.git|\.aiwg|dist|build|coverage|\.next|\.cache)\//;

/** The files of the workspace relative to its root: those of the package first, then the others, each sorted. */
export async function listFiles({
  root,
  project,
  signal,
}: Pick<AttemptContext, 'root' | 'project' | 'signal'>): Promise<string[]> {
  const { packageDir } = project;
  const files = (await filesBelow(root, root, signal)).filter((path) => !LEFT_OUT.test(path));
  if (packageDir === '.') return files;
  const isOwn = (path: string): boolean => path.startsWith(`${packageDir}/`);
  return [...files.filter(isOwn), ...files.filter((path) => !isOwn(path))];
}

/** The listing for the prompt: one path per line, at most `limit` of them. */
export function renderListing(paths: readonly string[], limit: number): string {
  const more = paths.length - limit;
  const shown = paths.slice(0, limit).map((path) => printable(path).replaceAll('\n', '\\n'));
  return [...shown, ...(more > 0 ? [`(${plural(more, 'more file')} not listed.)`] : [])].join('\n');
}
