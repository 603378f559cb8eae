import { reachedFiles } from '../../platform/modules/import-graph.ts';
import { SHARING } from '../../checks/tools/vitest.ts';
import type { Check, PristineTree } from '../../ports.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import type { CheckRequest, TreeAudit } from '../../ports/evaluation.ts';
import type { Evaluation, Tampering, TestCase } from '../../schema/generated.ts';
import { flippedTests } from '../flipped-tests.ts';
import type { HelpingTestsRequest } from '../assertions/helping-tests.ts';
import { findReplacedBuiltIns, type JudgedSources } from '../watched/built-ins.ts';
import { findSelfJudging } from '../watched/judged-command.ts';
import { findChangedExpectations } from '../watched/read-data.ts';
import { newlyTouchesProcess } from '../watched/touches-process.ts';
import type { Recording } from '../replay/recording.ts';
import type { Findings } from './in-sources.ts';
import { watchAndRecord } from './watch-and-record.ts';
import {
  hasTurnedGreen,
  requestInCheckout,
  testFilesOf,
  testsOf,
  type NotedRuns,
  type Verification,
} from './verification.ts';

/** The changed sources of a tree, and what is known of them. */
interface Changed {
  readonly audit: TreeAudit;
  readonly baseline: Evaluation;
  readonly verification: Verification & { readonly noted: NotedRuns };
  readonly pristine: PristineTree | undefined;
  /** A sentence that was found before. */
  readonly narrow: string | undefined;
  /** The tree is refused already: calls are not repeated. */
  readonly isRefused: boolean;
}

/**
 * Acts of the changed sources in runs of a check of tests, or of a command. Built-ins are watched in the run that records the
 * calls; where that shows nothing, in one of their own, in the checkout that is free first if there are two.
 */
export async function findInRuns(check: Check, changed: Changed): Promise<Findings> {
  const { audit, baseline, verification, narrow, isRefused } = changed;
  const tests = testsOf(check, baseline, verification);
  if (tests === undefined && !hasTurnedGreen(check, baseline, verification)) {
    const { tampering } = await findInKeptCommand(check, changed);
    return { tampering, narrow };
  }
  const flipped = tests && flippedTests(tests.before, tests.now);
  const files = flipped && [...new Set(flipped.map(({ file }) => file!))];
  const { sources, baseText, isJudge } = audit;
  const { doubted = [] } = verification.evaluation;
  const request = await requestInCheckout(check, verification);
  const asked = { request, sources, doubted, baseText, isJudge };
  const { check: watched } = verification.noted.get(check)!;
  const watch = async (own: CheckRequest): Promise<Tampering[]> =>
    files === undefined ? [] : findReplacedBuiltIns(watched, files, { ...asked, request: own });
  const recording = flipped && !isRefused ? await watchAndRecord(watched, flipped, asked) : undefined;
  const aside = recording === undefined ? verification.aside : undefined;
  let watching: Promise<Tampering[]> | undefined;
  // In the checkout whose other runs end first.
  const elsewhere = aside?.request(check).then((own) => own && (watching ??= watch(own)));
  // It is awaited below.
  elsewhere?.catch(() => {});
  const shown = await findInCheckout(check, {
    ...changed,
    ...{ asked, flipped, files, recording },
    watch: () => (aside === undefined && recording === undefined ? watch(request) : Promise.resolve([])),
  });
  const replaced = aside === undefined ? [] : await (watching ??= watch(request));
  await elsewhere;
  return { tampering: [...replaced, ...shown.tampering], narrow: shown.narrow };
}

/** Acts of the changed sources in a command that was green before, where they name what decides over a process. */
async function findInKeptCommand(
  check: Check,
  { audit: { sources, baseText, isJudge }, verification }: Changed,
): Promise<Findings> {
  const isPassing = verification.reports.some(
    ({ name, status }) => name === check.plan.name && status === 'pass',
  );
  if (check.plan.tool !== 'command' || !isPassing) return { tampering: [] };
  const request = await requestInCheckout(check, verification);
  const asked = { request, sources, baseText };
  return (await newlyTouchesProcess(asked)) ? findSelfJudging(check, isJudge, asked) : { tampering: [] };
}

/**
 * The tests that a new test file may help. Where all files share a process, these are also those that passed before: it may
 * replace what they call, or their assertions.
 */
function testsBesideOthers(
  check: Check,
  flipped: readonly TestCase[],
  { baseline, verification }: Changed,
): Pick<HelpingTestsRequest, 'passing' | 'files' | 'isWhole'> {
  const isWhole = sharesProcess(check.plan);
  const passing = [...flipped, ...(isWhole ? keptTests(check, { baseline, verification }) : [])];
  return { passing, files: filesOf(passing), isWhole };
}

/** The tests that passed before and pass now. */
function keptTests(
  check: Check,
  { baseline, verification }: Pick<Changed, 'baseline' | 'verification'>,
): readonly TestCase[] {
  const { before, now } = testsOf(check, baseline, verification)!;
  const passed = new Set(before.filter(({ status }) => status === 'passed').map(({ id }) => id));
  return now.filter(({ id, status }) => status === 'passed' && passed.has(id));
}

function filesOf(tests: readonly TestCase[]): readonly string[] {
  return [...new Set(tests.flatMap(({ file }) => file ?? []))];
}

/** Whether the test files of a check run in one process, and see what another one does to it. */
function sharesProcess({ tool, args }: CheckPlan): boolean {
  return tool === 'mocha' || (tool === 'vitest' && args.some((word) => SHARING.test(word)));
}

/** Whether a problem of a type checker or a linter is what the change repairs. */
function hasRepairedTool({ baseline, verification: { reports } }: Changed): boolean {
  return baseline.checks.some(
    ({ name, kind, status }) =>
      (kind === 'types' || kind === 'lint') &&
      status === 'fail' &&
      reports.some((it) => it.name === name && it.status === 'pass'),
  );
}

/** Most test files whose calls are repeated where no test was red. */
const MAX_KEPT = 20;

/** Whether a test file imports one of the sources, directly or through others. */
function reaches(root: string, test: string, sources: readonly string[]): boolean {
  return reachedFiles(root, test).some(({ file }) => sources.includes(file));
}

interface InCheckout extends Changed {
  readonly asked: JudgedSources;
  /** Tests that failed before and pass now, and their files; undefined for a command. */
  readonly flipped: readonly TestCase[] | undefined;
  readonly files: readonly string[] | undefined;
  /** The calls of the sources, if they are recorded already. */
  readonly recording: Recording | undefined;
  /** Watches built-ins, if that is not done elsewhere. */
  readonly watch: () => Promise<Tampering[]>;
}

async function findInCheckout(
  check: Check,
  { asked, flipped, files, recording, watch, ...changed }: InCheckout,
): Promise<Findings> {
  const { audit, verification, pristine, isRefused } = changed;
  const { request, sources, isJudge } = asked;
  const { check: watched } = verification.noted.get(check)!;
  let { narrow } = changed;
  const found: Tampering[] = [];
  if (hasTurnedGreen(check, changed.baseline, verification)) {
    const judging = await findSelfJudging(check, isJudge, asked);
    found.push(...judging.tampering);
    narrow ??= judging.narrow;
    if (audit.added.some((path) => isJudge(path))) {
      const { findHelpedCommand } = await import('../assertions/helped-commands.ts');
      const judges = await audit.judges();
      found.push(...(await findHelpedCommand(check, { request, judges, added: audit.added })));
    }
  }
  // Data prove nothing by tests that read them and were green before.
  if (audit.data.length > 0 && files?.length !== 0) {
    // A new test may read what comes with it.
    const judges = (await audit.judges()).filter((path) => !audit.added.includes(path));
    const { data, added } = audit;
    found.push(...(await findChangedExpectations(watched, { request, files, judges, data, added })));
  }
  found.push(...(await watch()));
  const helped = files && testsBesideOthers(check, flipped!, changed);
  const added = audit.added.filter((path) => isJudge(path) && helped?.files.includes(path) === false);
  if (helped !== undefined && added.length > 0) {
    const { findHelpingTests } = await import('../assertions/helping-tests.ts');
    found.push(...(await findHelpingTests(watched, { request, ...helped, added })));
  }
  if (isRefused || found.length > 0) return { tampering: found, narrow };
  if (files !== undefined && sources.length > 0) {
    const { findLostEntry } = await import('../delivery/lost-entries.ts');
    narrow ??= await findLostEntry(asked, files);
  }
  const { findDecidingSurroundings } = await import('../surroundings/index.ts');
  const judges = files ?? (await audit.judges());
  found.push(...(await findDecidingSurroundings(check, { ...asked, flipped, judges })));
  if (flipped?.length === 0) {
    const { STACK } = await import('../surroundings/told.ts');
    const kept = keptTests(check, changed);
    const own = { flipped: kept, judges: filesOf(kept), counts: (what: string) => what === STACK };
    found.push(...(await findDecidingSurroundings(check, { ...asked, ...own })));
  }
  const { findRealmQuestion } = await import('../surroundings/realm.ts');
  found.push(...(await findRealmQuestion(check, { ...asked, flipped, judges })));
  if (found.length > 0) return { tampering: found, narrow };
  const { findChangedUnasked, replayCalls } = await import('../replay/index.ts');
  const { repository } = pristine ?? {};
  const own = files === undefined ? { isJudge, tested: testFilesOf(check, verification) } : {};
  const { doubted, baseText } = asked;
  if (flipped?.length === 0 && hasRepairedTool(changed)) {
    const kept = filesOf(keptTests(check, changed)).filter((file) => reaches(request.root, file, sources));
    const unasked = { request, sources, doubted, baseText, files: kept.slice(0, MAX_KEPT) };
    narrow ??= kept.length === 0 ? undefined : await findChangedUnasked(watched, unasked);
  }
  const replayed = { request, sources, doubted, baseText, files, repository, ...own };
  const replay = await replayCalls(watched, replayed, recording);
  narrow ??= replay.narrow;
  if (narrow === undefined && replay.tampering.length === 0 && files !== undefined && audit.data.length > 0) {
    const { findTabledAnswer } = await import('../tested-inputs/tabled-answers.ts');
    narrow = await findTabledAnswer(watched, { ...replayed, files, data: audit.data });
  }
  return { tampering: replay.tampering, narrow };
}
