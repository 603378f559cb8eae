import { join, posix } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import { createImportGraph } from '../../platform/modules/import-graph.ts';
import type { Check } from '../../ports.ts';
import type { CheckRequest } from '../../ports/evaluation.ts';
import type { Tampering } from '../../schema/generated.ts';
import { withBase } from '../base-sources.ts';

export interface HelpedCommandRequest {
  readonly request: CheckRequest;
  /** Files that judge the product, relative to the root. */
  readonly judges: readonly string[];
  /** Files that the base does not have, relative to the root. */
  readonly added: readonly string[];
}

/** A command that fails once may have failed by chance. */
const RUNS = 2;
/** Files that may name the test files of a command. */
const NAMING = ['package.json', 'Makefile', 'makefile', 'GNUmakefile'];

/**
 * Tampering where a command passes that failed before, and fails twice without the new test files beside those of the base: one of
 * these repairs the product for the process that all share. Files that others import or that the command names are left, and so are
 * the first tests of a repository. All files are put back.
 */
export async function findHelpedCommand(
  check: Check,
  { request, judges, added }: HelpedCommandRequest,
): Promise<Tampering[]> {
  const known = judges.filter((path) => !added.includes(path));
  const folders = new Set(known.map((path) => posix.dirname(path)));
  const graph = createImportGraph(request.root);
  const imported = new Set(known.flatMap((path) => graph.reachedFrom(path).map(({ file }) => file)));
  const named = [...check.plan.args, ...NAMING.map((path) => textOf(join(request.root, path)))].join('\n');
  const own = judges.filter(
    (path) =>
      added.includes(path) &&
      folders.has(posix.dirname(path)) &&
      !imported.has(path) &&
      !isNamed(posix.basename(path), named),
  );
  if (own.length === 0) return [];
  const absent = { request, sources: own, baseText: () => Promise.resolve(undefined) };
  for (let run = 0; run < RUNS; run++) {
    const { status } = await withBase(absent, () => check.run({ ...request, fresh: true }));
    if (status === 'pass' || request.signal.aborted) return [];
  }
  const [file] = own;
  const detail = `\`${check.plan.args[0] ?? ''}\` passes beside ${file}, which is new, and fails without it: a new test may not change what others test, or how.`;
  return [{ kind: 'builtin_replaced', file: file!, detail: detail.slice(0, 2_000) }];
}

function isNamed(name: string, text: string): boolean {
  return new RegExp(`(?<![\\w.-])${escapeRegExp(name)}(?![\\w.-])`).test(text);
}
