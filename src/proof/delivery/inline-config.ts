import { join } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import type { Check } from '../../ports.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import type { Tampering } from '../../schema/generated.ts';
import { createCheck } from '../../tools.ts';
import { withBase, type ChangedSources } from '../base-sources.ts';

/** A comment by which a source may configure ESLint, in any of its spellings. */
const COMMENT = /\/\*\s*(eslint|globals?|exported)\b[^]*?\*\/|\/\/\s*eslint-.*/g;

/**
 * Lints changed sources whose comments for ESLint differ from the base's without such comments. Tampering for each with an
 * error that the base does not have under the same conditions. Never rejects for what the linter does.
 */
export async function findInlineConfiguration(check: Check, changed: ChangedSources): Promise<Tampering[]> {
  if (check.plan.tool !== 'eslint') return [];
  const { request } = changed;
  const { root } = request;
  const files: string[] = [];
  for (const path of changed.sources) {
    const comments = commentsIn(textOf(root, path));
    const known = commentsIn((await changed.baseText(path)) ?? '');
    if (comments.some((it) => !known.includes(it))) files.push(path);
  }
  if (files.length === 0) return [];
  const strict = createCheck({ ...check.plan, args: [...check.plan.args, '--no-inline-config'] });
  const asked = { ...request, fresh: true, files };
  const now = errorsOf(await strict.run(asked), root);
  if (now.length === 0 || request.signal.aborted) return [];
  const before = await withBase({ ...changed, sources: files }, async () =>
    errorsOf(await strict.run({ ...asked, files: files.filter((path) => textOf(root, path) !== '') }), root),
  );
  const added = now.filter(({ key }) => !before.some((old) => old.key === key));
  return [...new Set(added.map(({ file }) => file))].map(hidden);
}

function hidden(file: string): Tampering {
  const detail = `${file.slice(0, 1000)} has a new comment that hides problems from the linter instead of fixing them. --allow permits it in a file.`;
  return { kind: 'suppression_added', file, detail };
}

interface LintError {
  readonly file: string;
  /** File, rule and text of the line. */
  readonly key: string;
}

function errorsOf({ diagnostics }: CheckReport, root: string): LintError[] {
  return diagnostics.flatMap(({ severity, file, line, rule }) => {
    if (severity !== 'error' || file === undefined || line === undefined) return [];
    const text = textOf(root, file).split('\n')[line - 1] ?? '';
    return [{ file, key: [file, rule, text.trim()].join('\n') }];
  });
}

function commentsIn(text: string): string[] {
  return text.match(COMMENT) ?? [];
}

function textOf(root: string, path: string): string {
  try {
    return readTreeTextSync(join(root, path));
  } catch {
    return '';
  }
}
