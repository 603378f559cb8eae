import type { CheckPlan } from '../../ports.ts';
import type { Tampering } from '../../schema/generated.ts';
import { countSuppressions, quietedBy, type Quieted, type Suppressions } from './suppressions.ts';
import { isTest, type ProtectionRules } from './protected-paths.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import { SYMBOLIC_LINK, type EntryChange } from '../snapshots/tree-changes.ts';

const MAX_FILES = 500;

export interface SourceRules {
  /** What the verdict rests on: suppressions of what no check looks at are nobody's business. */
  readonly checks: readonly Pick<CheckPlan, 'kind'>[];
  /** Tests, and what the user lets the actor change, are not looked at. */
  readonly rules: ProtectionRules;
}

interface Changed {
  readonly path: string;
  readonly before: Suppressions;
  readonly after: Suppressions;
}

/**
 * Suppressions that the changed sources have more of than the base's: counted over all of them, so that code which
 * is moved takes its own along. One finding for each file and kind; none where there are no checks.
 */
export async function findSuppressions(
  changes: readonly EntryChange[],
  { checks, rules }: SourceRules,
  snapshots: Snapshots,
): Promise<Tampering[]> {
  if (checks.length === 0) return [];
  const judged = new Set<Quieted>(['tests', ...checks.map(({ kind }) => kind).filter(isQuietable)]);
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
    .filter((kind) => judged.has(quietedBy(kind)))
    .flatMap((kind) => moreOf(kind, counted, rules));
}

function isText({ before, after }: EntryChange): boolean {
  return before?.mode !== SYMBOLIC_LINK && after?.mode !== SYMBOLIC_LINK;
}

function isQuietable(kind: CheckPlan['kind']): kind is 'types' | 'lint' {
  return kind === 'types' || kind === 'lint';
}

function moreOf(kind: string, counted: readonly Changed[], { isAllowed }: ProtectionRules): Tampering[] {
  const gainOf = ({ before, after }: Changed): number => (after.get(kind) ?? 0) - (before.get(kind) ?? 0);
  const own = counted.filter(({ path }) => !isTest(path) && !isAllowed(path));
  if (own.reduce((sum, file) => sum + gainOf(file), 0) <= 0) return [];
  return own.filter((file) => gainOf(file) > 0).map(({ path }) => accuse(kind, path));
}

function accuse(kind: string, file: string): Tampering {
  const quiets = quietedBy(kind);
  const detail =
    quiets === 'tests'
      ? `${file.slice(0, 1000)} has ${kind}, which it had not before: what it does under test says nothing.`
      : `${file.slice(0, 1000)} has ${kind} more than before: it keeps the ${quiets === 'types' ? 'type checker' : 'linter'} quiet instead of mending what it says. --allow lets a file have it.`;
  return { kind: quiets === 'tests' ? 'test_aware' : 'suppression_added', file: file.slice(0, 4096), detail };
}
