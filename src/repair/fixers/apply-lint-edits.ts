import { join } from 'node:path';
import { writeInTree } from '../../platform/files/write-in-tree.ts';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import type { FixAction } from './fix-result.ts';
import { proposeLintEdits } from './lint-edits.ts';
import type { LintFinding } from './lint-output.ts';
import { addsSuppression } from './suppressions.ts';

/** Edits tried in one file. */
const MAX_TRIED = 25;

/** A file with lint errors. */
export interface LintEditRequest {
  /** Absolute path of the tree. */
  readonly root: string;
  /** Relative to the root. */
  readonly file: string;
  /** The errors of the file as it is. */
  readonly findings: readonly LintFinding[];
  /** Lints the file as it is on disk; undefined if the linter could not run or the time is up. */
  readonly judge: () => Promise<readonly LintFinding[] | undefined>;
}

/** The result of the edits in one file. */
export interface AppliedLintEdits {
  readonly actions: readonly FixAction[];
  /** Errors that are left. */
  readonly findings: readonly LintFinding[];
}

/** Tries the edits that the rules of the errors ask for, one at a time, and keeps those that lower the number of errors. */
export async function applyLintEdits(request: LintEditRequest): Promise<AppliedLintEdits> {
  const { root, file, judge } = request;
  const path = join(root, file);
  const actions: FixAction[] = [];
  const tried = new Set<string>();
  let { findings } = request;
  let text = await readTreeText(path);
  for (let count = 0; count < MAX_TRIED && findings.length > 0; count++) {
    const edits = findings.flatMap((finding) =>
      proposeLintEdits(text, finding).map((edit) => ({ ...edit, finding })),
    );
    const next = edits.find((edit) => !tried.has(edit.text));
    if (next === undefined) break;
    tried.add(next.text);
    if (addsSuppression(text, next.text)) continue;
    writeInTree(root, file, next.text);
    const left = await judge();
    if (left !== undefined && left.length < findings.length) {
      const place = `${file}:${next.finding.line}`;
      actions.push({ description: `Edit for "${next.finding.text}" at ${place}: ${next.description}`, file });
      findings = left;
      text = next.text;
      continue;
    }
    writeInTree(root, file, text);
    if (left === undefined) break;
  }
  return { actions, findings };
}
