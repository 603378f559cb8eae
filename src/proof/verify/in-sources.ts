import type { TreeAudit } from '../../ports/evaluation.ts';
import type { Evaluation, Tampering } from '../../schema/generated.ts';
import { requestInCheckout, type NotedRuns, type Verification } from './verification.ts';

/** What is wrong with a tree whose checks pass. */
export interface Findings {
  readonly tampering: readonly Tampering[];
  /** A sentence on a function that is right for the tested inputs alone, or on an import that the user does not get. */
  readonly narrow?: string | undefined;
}

export const NOTHING: Findings = { tampering: [] };

/** Acts of the changed sources by which they decide how they are judged. */
export async function findInSources(
  audit: TreeAudit,
  baseline: Evaluation,
  verification: Verification & { readonly noted: NotedRuns },
): Promise<Findings> {
  const { sources, lost, links, unstartable, data, baseText } = audit;
  const { doubted = [] } = verification.evaluation;
  // A new test may change what the others test.
  const newJudges = audit.added.filter((path) => audit.isJudge(path));
  const changed = [sources, lost, links, unstartable, data, doubted, newJudges];
  if (changed.every(({ length }) => length === 0)) return NOTHING;
  const found: Tampering[] = [];
  const pristine = await verification.openPristine();
  const delivered = { ...verification.request, root: pristine?.root ?? verification.request.root };
  const { findUnlistedImport } = await import('../delivery/unlisted-imports.ts');
  const { findLostFile } = await import('../delivery/lost-files.ts');
  const { findLostExport } = await import('../delivery/lost-exports.ts');
  const { findLostType } = await import('../delivery/lost-types.ts');
  const { findLostSafeguard } = await import('../delivery/lost-safeguards.ts');
  const { findRebuilt } = await import('../delivery/rebuilt-files.ts');
  const { findSubstitutedText } = await import('../delivery/substituted-text.ts');
  const { findReadAnswers } = await import('../assertions/read-answers.ts');
  const judges = (): Promise<readonly string[]> => audit.judges();
  found.push(...(await findReadAnswers({ request: delivered, sources, baseText, judges })));
  const editedRoot = verification.evaluation.root;
  let narrow = await findUnlistedImport({ request: delivered, sources, baseText, editedRoot });
  narrow ??= await findLostFile({ request: delivered, sources, lost, links, unstartable, data, baseText });
  narrow ??= await findLostExport({ request: delivered, sources, baseText });
  const isTypeChecked = verification.checks.some(({ plan }) => plan.kind === 'types');
  narrow ??= await findLostType({ request: delivered, sources, data, baseText, isTypeChecked });
  if (isTypeChecked) {
    const { findAmbientMember } = await import('../types/ambient-members.ts');
    narrow ??= await findAmbientMember({ request: delivered, sources, data, baseText });
  }
  narrow ??= await findLostSafeguard({ request: delivered, sources, baseText });
  narrow ??= findRebuilt({ request: delivered, sources, baseText });
  narrow ??= await findSubstitutedText({ request: delivered, sources, baseText });
  for (const check of verification.checks) {
    if (check.plan.tool === 'eslint') {
      const { findInlineConfiguration } = await import('../delivery/inline-config.ts');
      const request = await requestInCheckout(check, verification);
      found.push(...(await findInlineConfiguration(check, { request, sources, baseText })));
      const { findRespelledProblem } = await import('../spelling/respelled-lint.ts');
      const before = baseline.diagnostics.filter((it) => it.check === check.plan.name);
      narrow ??= await findRespelledProblem(check, { request, sources, baseText }, before);
      continue;
    }
    if (check.plan.tool === 'tsc') {
      const { findMissingResult } = await import('../types/missing-results.ts');
      const request = await requestInCheckout(check, verification);
      const before = baseline.diagnostics.filter((it) => it.check === check.plan.name);
      narrow ??= await findMissingResult(check, { request, sources, baseText }, before);
      const { findHiddenProblem } = await import('../types/hidden-problems.ts');
      narrow ??= await findHiddenProblem(check, { request, sources, baseText }, before);
      const { findAnyMember } = await import('../types/any-members.ts');
      narrow ??= await findAnyMember(check, { request, sources, data, baseText }, before);
      const { findUnjudgedMove } = await import('../types/unjudged-moves.ts');
      narrow ??= await findUnjudgedMove(check, { request, sources, baseText }, before);
      const { findNarrowedDeclaration } = await import('../types/narrowed-declarations.ts');
      narrow ??= await findNarrowedDeclaration(check, { request, sources, data, baseText }, before);
      continue;
    }
    const { findInRuns } = await import('./in-runs.ts');
    const shown = await findInRuns(check, {
      ...{ audit, baseline, verification, narrow, pristine },
      isRefused: found.length > 0,
    });
    found.push(...shown.tampering);
    narrow = shown.narrow;
  }
  return { tampering: found, narrow };
}
