import type { RunEvent } from '../../events.ts';
import type { ChangeRules, ReviewTests } from '../../ports.ts';
import type { DeliveryMode, TreeId } from '../../ports/tree.ts';
import type { Reflection, Usage } from '../../schema/generated.ts';
import type { Lock } from '../../state/lock.ts';
import type { Project } from '../project.ts';
import type { TaskProof } from './task-proof.ts';
import type { SiblingLoops } from '../tasks/sibling-loops.ts';

/** A copy of a loop's stored files elsewhere, from which another machine can resume the loop. */
export interface LoopReplica {
  /**
   * Resolves when everything that the loop has stored so far is in the copy. Called after each finished step and each
   * model reply, which count only then. Rejects if the copy does not belong to this process any more: the loop ends.
   */
  save(): Promise<void>;
  /**
   * Notes the most that a model call may take, which is taken for its cost if its reply never comes; called before each. The
   * returned function is called when the cost is known. Rejects as `save` does.
   */
  noteCall(most: Usage): Promise<() => void>;
}

/** The task, project and caller's hooks of one loop. */
export interface LoopRequest {
  readonly project: Project;
  readonly task: string;
  /** Output of elsewhere about the failure, such as the log of a CI job; untrusted, for the actor alone. */
  readonly background?: string | undefined;
  /** Criteria of the task. */
  readonly proof: TaskProof;
  readonly delivery: DeliveryMode;
  readonly loopId: string;
  /** First start of the loop, ISO 8601. */
  readonly startedAt: string;
  readonly resumed: boolean;
  /** Base of a resumed loop. */
  readonly base?: TreeId;
  /** Commit that was checked out when a resumed loop began. */
  readonly head?: string;
  /**
   * Reflections of earlier loops, oldest first, for places that the Ω window leaves empty. Default: those stored in the
   * repository, unless long-term memory is off.
   */
  readonly earlier?: readonly Reflection[] | undefined;
  /** Rules that a result must keep beside the checks; absent without any. */
  readonly rules?: ChangeRules | undefined;
  /** Shows the acceptance tests to the user; absent without --review. */
  readonly review?: ReviewTests | undefined;
  /** Receives every event. Must not throw. */
  readonly emit: (event: RunEvent) => void;
  /** Called between steps; true if the loop should end now. */
  readonly stopRequested: () => boolean;
  /** Cuts off a running step that can be repeated, and then ends the loop; absent if such steps are finished. */
  readonly stop?: AbortSignal | undefined;
  /** On abort the running step is killed and not recorded. */
  readonly signal: AbortSignal;
  /** The repository's lock, if the caller holds it for several loops and releases it. */
  readonly lock?: Lock;
  /** Absent if the loop's files are kept on this machine only. */
  readonly replica?: LoopReplica;
  /** Present if other loops run at the same time under the same lock. */
  readonly siblings?: SiblingLoops;
}

/** Aborts when the user stops the loop, at once or not. */
export function stopSignal({ signal, stop }: Pick<LoopRequest, 'signal' | 'stop'>): AbortSignal {
  return stop === undefined ? signal : AbortSignal.any([signal, stop]);
}
