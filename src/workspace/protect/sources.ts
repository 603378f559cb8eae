import type { CheckPlan } from '../../ports.ts';
import type { Tampering } from '../../schema/generated.ts';
import { countSuppressions, quietedBy, type Quieted, type Suppressions } from './suppressions.ts';
import { isTest, type ProtectionRules } from './protected-paths.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import { SYMBOLIC_LINK, type EntryChange } from '../snapshots/tree-changes.ts';

const MAX_FILES = 500;

export interface SourceRules {
  /** Checks of the verdict; suppressions that affect none of them are ignored. */
  readonly checks: readonly Pick<CheckPlan, 'kind'>[];
  /** Tests, and files that the user allows to change, are not examined. */
  readonly rules: ProtectionRules;
}

interface Changed {
  readonly path: string;
  readonly before: Suppressions;
  readonly after: Suppressions;
}

/**
 * Tampering for each file and kind of suppression that the changed sources contain more often than the base. Counted over
 * all files together, so that moved code may keep its suppressions. Empty if there are no checks.
 */
export async function findSuppressions(
  changes: readonly EntryChange[],
  { checks, rules }: SourceRules,
  snapshots: Snapshots,
): Promise<Tampering[]> {
  if (checks.length === 0) return [];
  const relevant = new Set<Quieted>(['tests', ...checks.map(({ kind }) => kind).filter(isQuietable)]);
  const files = changes.filter(isText).slice(0, MAX_FILES);
  const ids = files.flatMap(({ before, after }) => [before?.id, after?.id]).filter((id) => id !== undefined);
  const contents = await snapshots.readBlobs(ids);
  const textOf = (id: string | undefined): string => (id && contents.get(id)?.toString('utf8')) || '';
  const counted = files.map(({ path, before, after }): Changed => {
    const name = path.toString('utf8');
    const [then, now] = [textOf(before?.id), textOf(after?.id)];
    return { path: name, before: countSuppressions(name, then), after: countSuppressions(name, now, then) };
  });
  return [...new Set(counted.flatMap(({ after }) => [...after.keys()]))]
    .filter((kind) => relevant.has(quietedBy(kind)))
    .flatMap((kind) => addedSuppressions(kind, counted, rules));
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
  const gainOf = ({ before, after }: Changed): number => (after.get(kind) ?? 0) - (before.get(kind) ?? 0);
  const own = counted.filter(({ path }) => !isTest(path) && !isAllowed(path));
  if (own.reduce((sum, file) => sum + gainOf(file), 0) <= 0) return [];
  return own.filter((file) => gainOf(file) > 0).map(({ path }) => suppressionAdded(kind, path));
}

function suppressionAdded(kind: string, file: string): Tampering {
  const quiets = quietedBy(kind);
  const detail =
    quiets === 'tests'
      ? `${file.slice(0, 1000)} now has ${kind}, so its behaviour under test proves nothing.`
      : `${file.slice(0, 1000)} has ${kind} more often than before, which hides problems from the ${quiets === 'types' ? 'type checker' : 'linter'} instead of fixing them. --allow permits it in a file.`;
  return { kind: quiets === 'tests' ? 'test_aware' : 'suppression_added', file: file.slice(0, 4096), detail };
}
