import type { Usage } from '../../../schema/generated.ts';
import { NO_USAGE } from '../../../schema/usage.ts';
import type { PassResult } from '../../lessons/contract.ts';

/** A pass that had nothing to do, or was not to do it. */
export function idle<Stats>(status: 'noop' | 'skipped', reason: string, stats: Stats): PassResult<Stats> {
  return { status, reason, stats, usage: NO_USAGE };
}

/** What a pass came to. */
export function done<Stats>(
  status: PassResult<Stats>['status'],
  reason: string,
  stats: Stats,
  usage: Usage = NO_USAGE,
): PassResult<Stats> {
  return { status, reason: reason.slice(0, 500), stats, usage };
}
