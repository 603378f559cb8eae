import { usageError } from '../errors.ts';
import type { DeliveryMode } from '../ports/tree.ts';
import type { OutputOptions } from './options.ts';
import type { TaskOptions } from './task.ts';

/** Flags that choose how a result is delivered. */
export interface DeliveryOptions {
  readonly commit?: boolean;
  readonly branch?: boolean;
  readonly createPr?: boolean;
}

/** Options of `ralph run` other than the settings. */
export interface RunOptions extends OutputOptions, TaskOptions, DeliveryOptions {
  readonly dryRun?: boolean;
  /** Opens the acceptance tests in an editor. */
  readonly review?: boolean;
  /** Older name of the setting `applyUnproven`. */
  readonly requireChange?: boolean;
  /** Flag of earlier versions, which acceptance tests replace. */
  readonly selfTests?: boolean;
  /** Path of a checklist or prd.json; each open item gets a loop of its own. */
  readonly tasks?: string;
  readonly parallel?: string;
}

/** How a result is delivered: to the tree by default. Throws a usage RalphError for flags that exclude each other. */
export function chooseDelivery({ commit, branch, createPr }: DeliveryOptions): DeliveryMode {
  if (commit === true && createPr === true)
    throw usageError(
      '--commit and --create-pr exclude each other.',
      '--create-pr pushes a branch of its own and commits nothing on the current one.',
    );
  if (commit === true && branch === true)
    throw usageError('--commit and --branch exclude each other.', 'Leave one of them out.');
  if (commit === true) return 'commit';
  return branch === true || createPr === true ? 'branch' : 'tree';
}
