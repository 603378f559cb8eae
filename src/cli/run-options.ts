import { usageError } from '../errors.ts';
import type { DeliveryMode } from '../ports.ts';
import type { OutputOptions } from './options.ts';
import type { TaskOptions } from './task.ts';

/** Options of `ralph run` beside the settings. */
export interface RunOptions extends OutputOptions, TaskOptions {
  readonly commit?: boolean;
  readonly branch?: boolean;
  readonly dryRun?: boolean;
  /** Path of a checklist or prd.json; each open item gets a loop of its own. */
  readonly tasks?: string;
  readonly parallel?: string;
  readonly createPr?: boolean;
}

/** How a verified result reaches the user. Throws RalphError (exit 2) for flags that exclude each other. */
export function deliveryOf({
  commit,
  branch,
  createPr,
}: {
  readonly commit?: boolean;
  readonly branch?: boolean;
  readonly createPr?: boolean;
}): DeliveryMode {
  if (commit === true && createPr === true)
    throw usageError(
      '--commit and --create-pr exclude each other.',
      'A pull request is made of a branch of its own.',
    );
  if (commit === true && branch === true)
    throw usageError('--commit and --branch exclude each other.', 'Choose one.');
  if (commit === true) return 'commit';
  return branch === true || createPr === true ? 'branch' : 'tree';
}
