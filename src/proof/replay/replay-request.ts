import { join } from 'node:path';
import type { Check } from '../../ports.ts';
import type { Tampering } from '../../schema/generated.ts';
import type { ChangedSources } from '../base-sources.ts';
import type { RecordedCall } from './recorder/recorded-call.ts';
import type { RepeatRequest } from './repeat-calls.ts';

export interface ReplayRequest extends ChangedSources {
  /** Test files to run, relative to the root; undefined for all that the check runs. */
  readonly files: readonly string[] | undefined;
  /**
   * For a command: tells whether a file judges the product. Only calls in processes that such a file, code of the command
   * line or an installed runner started are repeated: a program of the product may depend on its arguments.
   */
  readonly isJudge?: ((path: string) => boolean) | undefined;
  /** For a command: files of the tests that it reports, relative to the root. */
  readonly tested?: readonly string[] | undefined;
  /** Absolute path of the user's repository; default: the folder of the check. */
  readonly repository?: string | undefined;
}

/** What a replay showed. */
export interface ReplayResult {
  readonly tampering: readonly Tampering[];
  /** A sentence on a function that is right for the tested inputs alone; undefined if none is known. */
  readonly narrow?: string | undefined;
  /** Number of calls whose results agreed. */
  readonly agreed: number;
  /** A sentence on why calls, or all of them, could not be repeated; undefined if each was. */
  readonly unknown: string | undefined;
}

export function repeatIn(check: Check, { request, repository }: ReplayRequest): RepeatRequest {
  const conditions = conditionsIn(check.plan.args);
  return { request, cwd: join(request.root, check.plan.cwd), env: placeOf(check), repository, conditions };
}

/** Conditions by which a command chooses among the targets of `exports` and `imports`. */
export function conditionsIn(args: readonly string[]): string[] {
  const all = args.join(' ').matchAll(/(?:^|\s)(?:--conditions|-C)[=\s]\s*["']?([\w.-]+)/g);
  return [...all].map(([, name]) => name!);
}

function placeOf({ plan }: Check): Record<string, string> {
  const isPlace = (name: string): boolean => /^(TZ|LANG|LC_\w+)$/.test(name);
  return Object.fromEntries(Object.entries(plan.env ?? {}).filter(([name]) => isPlace(name)));
}

/** What a call is a call of. */
export function keyOf({ source, name }: RecordedCall): string {
  return `${source}\n${name}`;
}
