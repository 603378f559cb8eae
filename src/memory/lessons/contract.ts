/**
 * The contract of the lesson store. Every pass proposes candidates to one gate, `admit`; only the gate, the counts, the
 * decay step and the user's commands write. No lesson is deleted: it is archived with the reason.
 */
import type {
  Lesson,
  LessonClaim,
  LessonEvidence,
  LessonSource,
  LessonStatus,
  LessonSubject,
  LessonType,
  Usage,
} from '../../schema/generated.ts';

/** A lesson that a pass proposes. */
export interface LessonCandidate {
  readonly text: string;
  readonly type: LessonType;
  readonly subject: LessonSubject;
  readonly source: LessonSource;
  readonly evidence: readonly LessonEvidence[];
  /** What it states, in a form that attempts confirm or refute; without it, the lesson is advice. Only rules set it. */
  readonly claim?: LessonClaim | undefined;
  /** 0..1. */
  readonly confidence: number;
  /** 0..1. */
  readonly importance: number;
  /** Files that it is about, relative to the root. */
  readonly files?: readonly string[];
  /** Fingerprints of the failures that it is about. */
  readonly fingerprints?: readonly string[];
  /** Id or exact text of a lesson that this one replaces. */
  readonly supersedes?: string;
}

/** Texts in which the quotes of candidates must occur; `stated` by the user, a candidate needs no quote. */
export type Grounds =
  { readonly kind: 'texts'; readonly texts: readonly string[] } | { readonly kind: 'stated' };

/** The gate's decision on one candidate. */
export interface Admission {
  readonly outcome: 'staged' | 'active' | 'strengthened' | 'superseded_other' | 'refused';
  /** Step that refused it: `safety`, `ungrounded`, `duplicate`, `conflict`, `cap`, `invalid`. */
  readonly step?: string;
  /** A sentence. */
  readonly reason: string;
  /** The stored lesson; absent where the candidate was refused. */
  readonly lesson?: Lesson;
}

/** The result of a lesson's own test of truth in one attempt. */
export interface LessonOutcome {
  readonly lessonId: string;
  /**
   * `support`: the attempt confirms what it states; `contradiction`: the attempt refutes it; `settled`: it stays true, and what
   * it is about is mended in another way.
   */
  readonly effect: 'support' | 'contradiction' | 'settled';
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
  /** Newest first; default: staged and active ones. */
  list(statuses?: readonly LessonStatus[]): Promise<readonly Lesson[]>;
  /**
   * The gate: normalise → safety → ground → de-duplicate → conflict → cap → audit. Returns one decision per candidate, in
   * their order. Never rejects for a candidate.
   */
  admit(candidates: readonly LessonCandidate[], grounds: Grounds): Promise<readonly Admission[]>;
  /** Counts effects, each attempt once per lesson; confirms supported staged lessons. */
  count(outcomes: readonly LessonOutcome[]): Promise<void>;
  /** Changes confidences (0..1), or archives with the reason `forget`. Pinned lessons stay unchanged. */
  decay(
    changes: readonly { readonly id: string; readonly confidence: number; readonly forget?: string }[],
  ): Promise<void>;
  /** Pins or unpins. Rejects with RalphError for an unknown id. */
  pin(id: string, pinned: boolean): Promise<Lesson>;
  /** Archives. Rejects with RalphError for an unknown id. */
  archive(id: string, reason: string): Promise<Lesson>;
  /** Audit rows of one lesson or of all, oldest first. */
  history(id?: string): Promise<readonly AuditRow[]>;
}

/** The result of a pass. A pass never rejects and never loses its input. */
export interface PassResult<Stats> {
  readonly status: 'ok' | 'noop' | 'skipped' | 'fallback' | 'rejected';
  /** A sentence, or the name of a known reason such as `disabled`. */
  readonly reason: string;
  readonly stats: Stats;
  readonly usage: Usage;
}
