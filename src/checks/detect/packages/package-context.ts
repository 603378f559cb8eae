import type { CheckOffer, CheckPlan } from '../../../ports/plan.ts';
import type { Manifest } from './manifest.ts';
import type { ManagerFacts } from './package-manager.ts';
import type { ScriptScope } from '../scripts/step.ts';

/** The package of the repository whose checks are detected. */
export interface PackageContext {
  /** Absolute path of the repository. */
  readonly root: string;
  /** Absolute path of the package. */
  readonly dir: string;
  readonly manifest: Manifest;
  readonly manager: ManagerFacts;
  /** The programs that wrappers in its scripts start; see `observe.ts`. */
  readonly observed?: ScriptScope['observed'];
}

/** A detected check before it gets its weight. */
export type CheckDraft = Omit<CheckPlan, 'weight'>;

/** The checks of one kind that were detected. */
export interface Findings {
  readonly checks: readonly CheckDraft[];
  /** Facts for the user, one sentence each. */
  readonly notes: readonly string[];
  /** Checks that the user may add; none if absent. */
  readonly offers?: readonly CheckOffer[];
}

/** Name of the check with this 0-based index among those of its kind: `tests`, `tests-2`, `tests-3`, … */
export function numberedName(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index + 1}`;
}
