import { join } from 'node:path';
import type { Node } from '@babel/types';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import type { Candidate } from '../syntax/edit.ts';
import type { Range } from '../syntax/regions.ts';
import { endOf, parseSource, startOf } from '../syntax/parse.ts';
import { sitesOf } from '../syntax/walk.ts';
import type { Behaviours } from './behaviours.ts';
import type { PassingPaths } from './lost-paths.ts';

/** A condition that candidates change, replaced by a constant. Only compared, never applied. */
export interface DecidedCondition {
  readonly probe: Candidate;
  /** Candidates that change only this condition or what it guards. */
  readonly near: readonly Candidate[];
  /** The branch that does not run with the constant. */
  readonly idle: Range;
}

const MOST_CONDITIONS = 6;

/** The conditions of the innermost branches that the candidates change, each as never true, and as always true if there is an `else`. */
export async function decidedConditions(
  root: string,
  candidates: readonly Candidate[],
): Promise<readonly DecidedCondition[]> {
  const decided: DecidedCondition[] = [];
  for (const [file, own] of Map.groupBy(candidates, ({ edits }) => edits[0]!.file)) {
    const parsed = parseSource(file, await readTreeText(join(root, file)));
    if ('problem' in parsed) continue;
    const branches = sitesOf(parsed.tree.program).flatMap(({ node }) =>
      node.type === 'IfStatement' ? [{ ...rangeOf(node), node }] : [],
    );
    const innermostOf = ({ edits }: Candidate) =>
      branches.findLast(({ start, end }) => edits.every((edit) => start <= edit.start && edit.end <= end));
    for (const [branch, near] of [...Map.groupBy(own, innermostOf)].slice(0, MOST_CONDITIONS)) {
      if (branch === undefined) continue;
      const { test, consequent, alternate } = branch.node;
      const { line } = test.loc!.start;
      const probeOf = (replacement: string): Candidate => ({
        ...{ operator: 'decided-condition', line, prior: 0, signature: `${file}:${line} ${replacement}` },
        edits: [{ file, ...rangeOf(test), replacement }],
      });
      decided.push({ probe: probeOf('false'), near, idle: rangeOf(consequent) });
      if (alternate) decided.push({ probe: probeOf('true'), near, idle: rangeOf(alternate) });
    }
  }
  return decided;
}

function rangeOf(node: Node): Range {
  return { start: startOf(node), end: endOf(node) };
}

/** Whether a passing test runs the branch that is idle with the constant: if it passes without, the branch may be superfluous. */
export function isBranchTested({ idle }: DecidedCondition, { statements, passing }: PassingPaths): boolean {
  return statements.some(
    ({ id, start, end }) => idle.start <= start && end <= idle.end && (passing.get(id)?.size ?? 0) > 0,
  );
}

/**
 * The candidates that behave as if a condition were a constant, on nearly all compared inputs on which that constant matters:
 * they change the condition so that it decides nothing, or what it guards so that it never runs.
 */
export function withoutCondition(
  decided: readonly DecidedCondition[],
  { of, original }: Pick<Behaviours, 'of' | 'original'>,
): ReadonlySet<Candidate> {
  const isLike = (outputs: readonly string[], constant: readonly string[]): boolean => {
    const matters = constant.flatMap((text, index) => (text === original[index] ? [] : [index]));
    const equal = matters.filter((index) => outputs[index] === constant[index]).length;
    return matters.length > 0 && equal >= LEAST_LIKENESS * matters.length;
  };
  const constant = decided.flatMap(({ probe, near }) => {
    const outputs = of.get(probe);
    return outputs === undefined ? [] : near.filter((one) => isLike(of.get(one) ?? [], outputs));
  });
  return new Set(constant);
}

/** With fewer inputs on which a constant matters, one of them must not tell it from the candidate. */
const LEAST_LIKENESS = 0.9;
