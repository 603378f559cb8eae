import type { RunEvent } from '../events.ts';
import type { DeliveryMode, TreeId } from '../ports.ts';
import type { Reflection } from '../schema/generated.ts';
import type { Lock } from '../state/lock.ts';
import type { Project } from './project.ts';
import type { Company } from './tasks/company.ts';

export interface LoopRequest {
  readonly project: Project;
  readonly task: string;
  readonly delivery: DeliveryMode;
  readonly loopId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly resumed: boolean;
  /** A resumed loop's base, and the commit that was checked out when it began. */
  readonly base?: TreeId;
  readonly head?: string;
  /** Reflections of earlier loops at the same task, oldest first. */
  readonly earlier?: readonly Reflection[] | undefined;
  readonly emit: (event: RunEvent) => void;
  readonly stopRequested: () => boolean;
  readonly signal: AbortSignal;
  /** The repository's lock where the caller holds it, and releases it, for several loops. */
  readonly lock?: Lock;
  /** Loops of the same lock that run at the same time. */
  readonly company?: Company;
}
