import type { CheckPlan } from '../../ports.ts';
import type { Manifest } from './manifest.ts';
import type { ManagerFacts } from './package-manager.ts';

/** One package of the repository, as every part of the detection sees it. */
export interface Place {
  /** Absolute path of the repository. */
  readonly root: string;
  /** Absolute path of the package. */
  readonly dir: string;
  readonly manifest: Manifest;
  readonly manager: ManagerFacts;
}

/** A check before it is weighed. */
export type CheckDraft = Omit<CheckPlan, 'weight'>;

export interface Findings {
  readonly checks: readonly CheckDraft[];
  /** Facts for the user, one sentence each. */
  readonly notes: readonly string[];
}

/** `tests`, `tests-2`, `tests-3` … for the checks of one kind. */
export function numberedName(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index + 1}`;
}
