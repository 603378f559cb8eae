import type { Usage } from '../../../schema/generated.ts';
import { NO_USAGE } from '../../../schema/usage.ts';
import type { PassResult } from '../../lessons/contract.ts';

/** The result of a pass that asked no model: `noop` had nothing to do, `skipped` was not due or is turned off. */
export function idle<Stats>(status: 'noop' | 'skipped', reason: string, stats: Stats): PassResult<Stats> {
  return { status, reason, stats, usage: NO_USAGE };
}

/** The result of a pass that ran; the reason is cut to 500 characters. */
export function done<Stats>(
  status: PassResult<Stats>['status'],
  reason: string,
  stats: Stats,
  usage: Usage = NO_USAGE,
): PassResult<Stats> {
  return { status, reason: reason.slice(0, 500), stats, usage };
}
