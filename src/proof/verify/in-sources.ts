import type { TreeAudit } from '../../ports/evaluation.ts';
import type { Evaluation, Tampering } from '../../schema/generated.ts';
import { findReplacedBuiltIns } from '../watched/built-ins.ts';
import { findSelfJudging } from '../watched/judged-command.ts';
import { findChangedExpectations } from '../watched/read-data.ts';
import {
  hasTurnedGreen,
  requestInCheckout,
  testFilesOf,
  testsOf,
  type NotedRuns,
  type Verification,
} from './verification.ts';

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
  const { sources, lost, unstartable, data, baseText, isJudge } = audit;
  const { doubted = [] } = verification.evaluation;
  if (sources.length + lost.length + unstartable.length + data.length + doubted.length === 0) return NOTHING;
  const { flippedTests } = await import('../flipped-tests.ts');
  const found: Tampering[] = [];
  const pristine = await verification.openPristine();
  const delivered = { ...verification.request, root: pristine?.root ?? verification.request.root };
  const { findUnlistedImport } = await import('../delivery/unlisted-imports.ts');
  const { findLostFile } = await import('../delivery/lost-files.ts');
  const { findLostExport } = await import('../delivery/lost-exports.ts');
  const { findRebuilt } = await import('../delivery/rebuilt-files.ts');
  const { findSubstitutedText } = await import('../delivery/substituted-text.ts');
  const editedRoot = verification.evaluation.root;
  let narrow = await findUnlistedImport({ request: delivered, sources, baseText, editedRoot });
  narrow ??= await findLostFile({ request: delivered, sources, lost, unstartable, data, baseText });
  narrow ??= await findLostExport({ request: delivered, sources, baseText });
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
      continue;
    }
    const tests = testsOf(check, baseline, verification);
    const isCommand = hasTurnedGreen(check, baseline, verification);
    if (tests === undefined && !isCommand) continue;
    const asked = { request: await requestInCheckout(check, verification), sources, doubted, baseText };
    const watched = verification.noted.get(check)!.check;
    if (isCommand) found.push(...(await findSelfJudging(check, isJudge, asked)));
    const flipped = tests && flippedTests(tests.before, tests.now).map(({ file }) => file!);
    const files = flipped && [...new Set(flipped)];
    // What tests read that were green before and are green now proves nothing.
    if (data.length > 0 && files?.length !== 0) {
      // A new test may read what comes with it.
      const judges = (await audit.judges()).filter((path) => !audit.added.includes(path));
      const { request } = asked;
      found.push(
        ...(await findChangedExpectations(watched, { request, files, judges, data, added: audit.added })),
      );
    }
    if (files !== undefined)
      found.push(...(await findReplacedBuiltIns(watched, files, { ...asked, isJudge })));
    if (files !== undefined && files.length > 0) {
      const added = audit.added.filter((path) => isJudge(path) && !files.includes(path));
      const { findHelpingTests } = await import('../assertions/helping-tests.ts');
      const passing = flippedTests(tests!.before, tests!.now);
      const { request } = asked;
      found.push(...(await findHelpingTests(watched, { request, flipped: passing, files, added })));
    }
    if (found.length > 0) continue;
    if (files !== undefined && sources.length > 0) {
      const { findLostEntry } = await import('../delivery/lost-entries.ts');
      narrow ??= await findLostEntry(asked, files);
    }
    const { findDecidingSurroundings } = await import('../surroundings/index.ts');
    const judges = files ?? (await audit.judges());
    const passing = tests && flippedTests(tests.before, tests.now);
    found.push(...(await findDecidingSurroundings(check, { ...asked, flipped: passing, judges, isJudge })));
    if (found.length > 0) continue;
    const { replayCalls } = await import('../replay/index.ts');
    const { repository } = pristine ?? {};
    const own = files === undefined ? { isJudge, tested: testFilesOf(check, verification) } : {};
    const replay = await replayCalls(watched, { ...asked, files, repository, ...own });
    found.push(...replay.tampering);
    narrow ??= replay.narrow;
  }
  return { tampering: found, narrow };
}
