import { messageOf } from '../../errors.ts';
import type { AcceptanceTests, AcceptanceWriter, Bench, ReviewTests } from '../../ports.ts';
import type { AcceptanceDraft, AcceptanceRequest, AcceptanceSuite } from '../../ports/acceptance.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import type { AcceptanceCriterion, Criterion, SurvivingMutant, Usage } from '../../schema/generated.ts';
import { NO_USAGE, sumUsage } from '../../schema/usage.ts';
import { toolOf } from '../../tools.ts';
import { keepCatching } from './catch-mutants.ts';
import { findPlace } from './place.ts';
import { reviewFiles } from './review.ts';
import { vetFile, type VettedFile, type Vetting } from './vet-file.ts';

export interface AcceptanceOptions {
  readonly writer: AcceptanceWriter;
  /** Runs checks in the root of the requests, confined as the loop's checks are. */
  readonly bench: Bench;
  /** Shows the tests to the user before they count. */
  readonly review?: ReviewTests | undefined;
}

const LIMITS = { tests: 40, files: 5 };
const MAX_UNCOVERED = 50;
/** The first answer and one repair; additions for surviving mutants are not repaired. */
const ROUNDS = { first: 2, additions: 1 };

/** Creates acceptance tests whose writer is never trusted: every test is read, run three times and must be red. */
export function createAcceptanceTests(options: AcceptanceOptions): AcceptanceTests {
  return {
    writer: options.writer.name,
    prepare: (request) => collect(request, [], options),
    strengthen: (request, survivors) => collect(request, survivors, options),
  };
}

/** Files and answers collected so far. */
interface Collection {
  readonly files: VettedFile[];
  readonly criteria: AcceptanceCriterion[];
  readonly rejected: string[];
  readonly usages: Usage[];
}

async function collect(
  request: AcceptanceRequest,
  survivors: readonly SurvivingMutant[],
  options: AcceptanceOptions,
): Promise<AcceptanceSuite> {
  const found: Collection = { files: [], criteria: [], rejected: [], usages: [] };
  const plan = request.project.checks.find(({ kind, tool }) => kind === 'tests' && tool !== 'command');
  if (plan === undefined) {
    found.rejected.push('The repository has no test runner that ralph can run file by file.');
    return toSuite(found, request);
  }
  try {
    await askAndVet(found, { request, survivors, plan, options });
  } catch (error) {
    found.rejected.push(messageOf(error));
    await removeAll(found);
  }
  if (request.signal.aborted) await removeAll(found);
  const { review } = options;
  if (review !== undefined && survivors.length === 0 && found.files.length > 0)
    await reviewAll(found, { request, plan, options }, review);
  if (survivors.length === 0) addUnnamed(found);
  return toSuite(found, request);
}

/** Replaces the files by those that the user leaves. Rejects, with every file removed, if the user cancels. */
async function reviewAll(
  found: Collection,
  { request, plan, options: { bench } }: Omit<Job, 'survivors'>,
  review: ReviewTests,
): Promise<void> {
  const { root, onWork } = request;
  const place = findPlace(request, plan);
  const reviewed = await reviewFiles(found.files, {
    root,
    review,
    vet: (file, kept, reject) => {
      const most = LIMITS.tests - countOf(kept);
      return vetFile(file, { request, bench, plan, place, wanted: 'red', most, reject });
    },
  });
  found.files.splice(0, Infinity, ...reviewed.files);
  found.rejected.push(...reviewed.rejected);
  for (const text of reviewed.rejected)
    onWork({ type: 'warning', text: `Left out after the review: ${text}` });
  if (found.files.length === 0)
    onWork({
      type: 'warning',
      text: 'No test is left after the review: nothing written for the task can prove it.',
    });
}

/** A criterion for the tests of each file that no criterion names. */
function addUnnamed({ files, criteria }: Collection): void {
  const named = new Set(criteria.flatMap(({ tests }) => tests));
  for (const { path, tests } of files) {
    const others = tests.filter(
      ({ declared, names }) => ![declared.title, declared.name, ...names].some((name) => named.has(name)),
    );
    if (others.length === 0) continue;
    const [{ declared }] = others as [VettedFile['tests'][number]];
    const text = others.length === 1 ? `"${declared.title}" passes.` : `The other tests of ${path} pass.`;
    criteria.push({ text, tests: others.map((other) => other.declared.name), covered_by: [] });
  }
}

async function removeAll({ files }: Collection): Promise<void> {
  for (const file of files.splice(0)) await file.remove();
}

interface Job {
  readonly request: AcceptanceRequest;
  readonly survivors: readonly SurvivingMutant[];
  readonly plan: CheckPlan;
  readonly options: AcceptanceOptions;
}

async function askAndVet(found: Collection, job: Job): Promise<void> {
  const { request, survivors, plan, options } = job;
  const place = findPlace(request, plan);
  const rounds = survivors.length === 0 ? ROUNDS.first : ROUNDS.additions;
  let reasons: readonly string[] = [];
  for (let round = 0; round < rounds && !request.signal.aborted; round++) {
    request.onProgress(round === 0 ? 'writing acceptance tests' : 'repairing acceptance tests');
    const draft = await options.writer.write({
      request,
      place,
      runner: toolOf(plan.tool).title,
      examples: place.examples,
      limits: LIMITS,
      survivors,
      reasons,
    });
    found.usages.push(draft.usage);
    const refused: string[] = [];
    if (draft.problem !== undefined) refused.push(draft.problem);
    found.criteria.push(...draft.criteria);
    const vetting = {
      request,
      bench: options.bench,
      plan,
      place,
      reject: (text: string) => void refused.push(text),
    };
    await vetDraft(draft, found, { ...vetting, survivors });
    found.rejected.push(...refused);
    // A test that already passes proves nothing and needs no repair.
    reasons = refused.filter((text) => !/^[^:]*: "[^]*" already passes\.$/.test(text));
    if (reasons.length === 0) return;
  }
}

async function vetDraft(
  draft: AcceptanceDraft,
  found: Collection,
  { survivors, ...shared }: Omit<Vetting, 'wanted' | 'most'> & Pick<Job, 'survivors'>,
): Promise<void> {
  const { request, reject } = shared;
  for (const file of draft.files) {
    if (request.signal.aborted) return;
    const room = LIMITS.tests - countOf(found.files);
    if (found.files.length >= LIMITS.files || room <= 0) {
      reject(`${file.path} is over the limit of ${LIMITS.tests} tests in ${LIMITS.files} files.`);
      continue;
    }
    request.onProgress(`trying ${file.path}`);
    const wanted = survivors.length === 0 ? 'red' : 'green';
    const vetted = await vetFile(file, { ...shared, wanted, most: room });
    if (vetted === undefined) continue;
    // Known from here on, so that it is removed if anything throws.
    found.files.push(vetted);
    if (survivors.length === 0) continue;
    const useful = await keepCatching(vetted, survivors, shared);
    found.files.pop();
    if (useful.tests.length > 0) found.files.push(useful);
    else await useful.remove();
  }
}

/** The number of test cases. */
function countOf(files: readonly VettedFile[]): number {
  return files.flatMap(({ tests }) => tests).reduce((sum, { declared }) => sum + declared.count, 0);
}

/** Criteria with their tests, and those without any. */
function toSuite(found: Collection, { evaluation, stated }: AcceptanceRequest): AcceptanceSuite {
  const failing = new Set(evaluation.tests.filter(({ status }) => status === 'failed').map(({ id }) => id));
  const criteria: Criterion[] = [];
  const uncovered = new Set<string>();
  const byText = new Map<string, Set<string>>();
  for (const text of stated) byText.set(text, new Set());
  for (const { text, tests, covered_by: covered } of found.criteria) {
    const shown = found.files.flatMap((file) =>
      file.tests
        .filter(({ declared, names }) =>
          [declared.title, declared.name, ...names].some((name) => tests.includes(name)),
        )
        .flatMap(({ names }) => names.map((name) => `${file.path}: ${name}`)),
    );
    const known = byText.get(text) ?? new Set();
    for (const id of [...shown, ...covered.filter((id) => failing.has(id))]) known.add(id);
    byText.set(text, known);
  }
  for (const [text, tests] of byText) {
    if (tests.size === 0) uncovered.add(text);
    else
      criteria.push({
        id: `C${criteria.length + 1}`,
        text,
        source: 'written',
        red_before: true,
        green_after: false,
        tests: [...tests],
      });
  }
  return {
    criteria,
    files: found.files.map(({ path }) => path),
    uncovered: [...uncovered].slice(0, MAX_UNCOVERED),
    rejected: found.rejected,
    usage: found.usages.length === 0 ? NO_USAGE : sumUsage(found.usages),
  };
}
