import { join } from 'node:path';
import { writeInTree } from '../../platform/files/write-in-tree.ts';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import type { LintedFile, Suggestion } from './eslint-report.ts';
import type { Linter } from './eslint-run.ts';
import type { FixAction } from './fix-result.ts';
import { addsSuppression } from './suppressions.ts';

/** Suggestions tried on one file. */
const MAX_SUGGESTIONS = 20;

/** The file whose suggestions are tried. */
export interface SuggestionRequest {
  /** Absolute path of the tree. */
  readonly root: string;
  /** Relative to the root. */
  readonly file: string;
  readonly linter: Linter;
  /** ESLint's report of the file as it is. */
  readonly report: LintedFile;
}

/** The result of trying suggestions on one file. */
export interface AppliedSuggestions {
  readonly actions: readonly FixAction[];
  /** ESLint's report of the file as it is left. */
  readonly report: LintedFile;
}

/** Applies ESLint's suggestions one at a time, and keeps those that lower the number of errors. */
export async function applySuggestions(request: SuggestionRequest): Promise<AppliedSuggestions> {
  const { file } = request;
  const actions: FixAction[] = [];
  let { report } = request;
  const tried = new Set<string>();
  for (let count = 0; count < MAX_SUGGESTIONS && report.errors > 0; count++) {
    const next = report.suggestions.find((suggestion) => !tried.has(keyOf(suggestion)));
    if (next === undefined) break;
    tried.add(keyOf(next));
    const better = await trySuggestion(request, next, report.errors);
    if (better === undefined) continue;
    actions.push({ description: `Applied the suggestion of ${next.rule} in ${file}: ${next.text}`, file });
    report = better;
  }
  return { actions, report };
}

async function trySuggestion(
  { root, file, linter }: SuggestionRequest,
  suggestion: Suggestion,
  errors: number,
): Promise<LintedFile | undefined> {
  const path = join(root, file);
  const text = await readTreeText(path);
  const changed = withSuggestion(text, suggestion);
  if (addsSuppression(text, changed)) return undefined;
  writeInTree(root, file, changed);
  const report = (await linter.lint([file], false))?.get(file);
  if (report !== undefined && report.errors < errors) return report;
  writeInTree(root, file, text);
  return undefined;
}

/** ESLint's ranges do not count a byte order mark. */
function withSuggestion(text: string, { range: [start, end], replacement }: Suggestion): string {
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  return text.slice(0, start + mark) + replacement + text.slice(end + mark);
}

function keyOf({ rule, text, range, replacement }: Suggestion): string {
  return [rule, text, ...range, replacement].join('\0');
}
