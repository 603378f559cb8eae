import type { CheckPlan } from '../../ports/plan.ts';
import type { Tampering } from '../../schema/generated.ts';
import { suppressionsIn, type Suppression } from './suppressions/index.ts';
import { quietedBy, type Quieted } from './suppressions/kinds.ts';
import { isTest, type ProtectionRules } from './protected-paths.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import { SYMBOLIC_LINK, type EntryChange } from '../snapshots/tree-changes.ts';

const MAX_FILES = 10_000;
const MAX_BYTES = 2_000_000;

export interface SourceRules {
  /** Checks of the verdict; suppressions that affect none of them are ignored. */
  readonly checks: readonly Pick<CheckPlan, 'kind'>[];
  /** Tests, and files that the user allows to change, are not examined. */
  readonly rules: ProtectionRules;
}

interface Changed {
  readonly path: string;
  readonly before: readonly Suppression[];
  readonly after: readonly Suppression[];
  /** True if the change removes the file. */
  readonly isGone: boolean;
}

/**
 * Tampering for each file and kind of suppression in the changed sources that the base does not have, line by line. A line
 * of another file counts, so that moved code may keep its suppressions, and so does a line that was edited a little. One
 * suppression that was removed does not pay for another. Empty if there are no checks.
 */
export async function findSuppressions(
  changes: readonly EntryChange[],
  { checks, rules }: SourceRules,
  snapshots: Snapshots,
): Promise<Tampering[]> {
  if (checks.length === 0) return [];
  const relevant = new Set<Quieted>(['tests', ...checks.map(({ kind }) => kind).filter(isQuietable)]);
  const files = changes.filter(isText).filter(isCode).slice(0, MAX_FILES);
  const ids = files.flatMap(({ before, after }) => [before?.id, after?.id]).filter((id) => id !== undefined);
  const contents = await snapshots.readBlobs(ids);
  const textOf = (id: string | undefined): string =>
    (id && contents.get(id)?.subarray(0, MAX_BYTES).toString('utf8')) || '';
  const counted = files.map(({ path, before, after }): Changed => {
    const name = path.toString('utf8');
    const [then, now] = [textOf(before?.id), textOf(after?.id)];
    return {
      path: name,
      before: suppressionsIn(name, then),
      after: suppressionsIn(name, now, then),
      isGone: after === undefined,
    };
  });
  return [...new Set(counted.flatMap(({ after }) => after.map(({ kind }) => kind)))]
    .filter((kind) => relevant.has(quietedBy(kind)))
    .flatMap((kind) => addedSuppressions(kind, counted, rules));
}

function isCode({ path }: EntryChange): boolean {
  return /\.[cm]?[jt]sx?$/.test(path.toString('utf8'));
}

function isText({ before, after }: EntryChange): boolean {
  return before?.mode !== SYMBOLIC_LINK && after?.mode !== SYMBOLIC_LINK;
}

function isQuietable(kind: CheckPlan['kind']): kind is 'types' | 'lint' {
  return kind === 'types' || kind === 'lint';
}

function addedSuppressions(
  kind: string,
  counted: readonly Changed[],
  { isAllowed }: ProtectionRules,
): Tampering[] {
  const own = counted.filter(({ path }) => !isTest(path) && !isAllowed(path));
  const left = own.flatMap(({ path, before, isGone }) => before.map((it) => ({ ...it, path, isGone })));
  const isAdded = (
    path: string,
    now: Suppression,
    isSame: (now: string, then: string) => boolean,
  ): boolean => {
    const at = left.findIndex((then) => {
      const isSamePlace = !now.isForFile || then.path === path || then.isGone;
      return (
        then.kind === kind && isSamePlace && then.isForFile === now.isForFile && isSame(now.line, then.line)
      );
    });
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  };
  // Lines that are the same find each other first.
  return own
    .map(({ path, after }) => ({
      path,
      changed: after.filter((it) => it.kind === kind && isAdded(path, it, (now, then) => now === then)),
    }))
    .filter(({ path, changed }) => changed.filter((it) => isAdded(path, it, isEdited)).length > 0)
    .map(({ path }) => suppressionAdded(kind, path));
}

/** True if at least half of the words of two lines are the same. */
function isEdited(line: string, old: string): boolean {
  const [now, then] = [line, old].map((it) => new Set(it.match(/[\w$]+/g)));
  const shared = [...now!].filter((word) => then!.has(word)).length;
  return shared > 0 && shared * 2 >= now!.size + then!.size - shared;
}

function suppressionAdded(kind: string, file: string): Tampering {
  const quiets = quietedBy(kind);
  const detail =
    quiets === 'tests'
      ? `${file.slice(0, 1000)} now has ${kind}, so its behaviour under test proves nothing.`
      : `${file.slice(0, 1000)} has ${kind} that was not there before, which hides problems from the ${quiets === 'types' ? 'type checker' : 'linter'} instead of fixing them. --allow permits it in a file.`;
  return { kind: quiets === 'tests' ? 'test_aware' : 'suppression_added', file: file.slice(0, 4096), detail };
}
