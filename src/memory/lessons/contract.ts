/**
 * Long-term memory on one screen. Every pass proposes candidates to one gate, `admit`; only the gate, the counts and
 * the decay step write. Nothing is deleted: what leaves is archived with the reason.
 */
import type {
  Lesson,
  LessonEvidence,
  LessonSource,
  LessonStatus,
  LessonSubject,
  LessonType,
  Usage,
} from '../../schema/generated.ts';

/** What a pass proposes. */
export interface LessonCandidate {
  readonly text: string;
  readonly type: LessonType;
  readonly subject: LessonSubject;
  readonly source: LessonSource;
  readonly evidence: readonly LessonEvidence[];
  /** 0..1. */
  readonly confidence: number;
  /** 0..1. */
  readonly importance: number;
  /** Relative to the root. */
  readonly files?: readonly string[];
  readonly fingerprints?: readonly string[];
  /** Id or exact text of a lesson that this one replaces. */
  readonly supersedes?: string;
}

/** What quotes are looked for in. What the user states needs no ground. */
export type Grounds =
  { readonly kind: 'texts'; readonly texts: readonly string[] } | { readonly kind: 'stated' };

/** What the gate did with one candidate, in the candidates' order. */
export interface Admission {
  readonly outcome: 'staged' | 'active' | 'strengthened' | 'superseded_other' | 'refused';
  /** Which step decided, where it was refused: `safety`, `ungrounded`, `duplicate`, `conflict`, `cap`, `invalid`. */
  readonly step?: string;
  /** A sentence. */
  readonly reason: string;
  /** The lesson as it is stored now; absent where it was refused. */
  readonly lesson?: Lesson;
}

/** What the evaluator saw in an attempt that was told of a lesson. */
export interface LessonOutcome {
  readonly lessonId: string;
  /** `support`: a failure it is about is gone and the reward is up; `contradiction`: the same failure again. */
  readonly effect: 'support' | 'contradiction';
  readonly loopId: string;
  /** 0-based. */
  readonly iteration: number;
}

/** A line of `.aiwg/ralph/memory/audit.jsonl`. */
export interface AuditRow {
  /** ISO 8601. */
  readonly at: string;
  readonly action:
    | Admission['outcome']
    | 'support'
    | 'contradiction'
    | 'pinned'
    | 'unpinned'
    | 'archived'
    | 'superseded'
    | 'decayed'
    | 'confirmed';
  readonly lessonId: string | null;
  readonly text: string;
  readonly reason: string;
}

export interface LessonStore {
  /** Newest first; archived and superseded ones only where their status is asked for. */
  list(statuses?: readonly LessonStatus[]): Promise<readonly Lesson[]>;
  /** The gate: normalise → safety → ground → de-duplicate → conflict → cap → audit. Never rejects for a candidate. */
  admit(candidates: readonly LessonCandidate[], grounds: Grounds): Promise<readonly Admission[]>;
  /** Counts effects; confirms staged lessons that were supported. One attempt counts once for a lesson. */
  count(outcomes: readonly LessonOutcome[]): Promise<void>;
  /** Changes confidences (0..1); one that a pass forgets is archived. Pinned ones stay as they are. */
  decay(
    changes: readonly { readonly id: string; readonly confidence: number; readonly forget?: string }[],
  ): Promise<void>;
  pin(id: string, pinned: boolean): Promise<Lesson>;
  /** Archives. Throws RalphError for an id that is not there. */
  archive(id: string, reason: string): Promise<Lesson>;
  /** Oldest first, of one lesson or of all. */
  history(id?: string): Promise<readonly AuditRow[]>;
}

/** What every pass returns. A pass never throws into the loop and never loses its input. */
export interface PassResult<Stats> {
  readonly status: 'ok' | 'noop' | 'skipped' | 'fallback' | 'rejected';
  /** A sentence, or the name of a known reason such as `disabled`. */
  readonly reason: string;
  readonly stats: Stats;
  readonly usage: Usage;
}
