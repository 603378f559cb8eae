import type { ReflectionInput } from '../ports.ts';
import type { Diagnostic } from '../schema/generated.ts';
import { byteSize, fenced, line, within, type FencedText } from './bounded-data.ts';
import { fencedPatch } from './fenced-patch.ts';
import { tellAttempt, tellVerdict } from './reflect-sections.ts';

/** An attempt, and its failures compared with what it started from. */
export interface ReflectSource {
  readonly input: ReflectionInput;
  /** Files that the attempt left changed. */
  readonly changed: readonly string[];
  /** Errors that there are now, the one to begin with first. */
  readonly failures: readonly Diagnostic[];
  readonly fixed: readonly Diagnostic[];
  /** Gone only because their test or check did not run. */
  readonly unseen: readonly Diagnostic[];
  /** Of tests that failed before as well, and fail otherwise now. */
  readonly moved: readonly Diagnostic[];
  readonly fresh: readonly Diagnostic[];
}

/** Variables of `reflect.hbs`. Every text is of one line, but for those in fences. */
export interface ReflectPrompt {
  /** 1-based. */
  readonly attempt: number;
  /** Oldest first; `number` is the 0-based iteration that `related_reflections` refers to. */
  readonly reflections: readonly {
    readonly attempt: number;
    readonly number: number;
    readonly reward: string;
    readonly category: string;
    readonly changed: string;
    readonly text: string;
    readonly insights: readonly string[];
    readonly lessons: readonly string[];
    /** Pieces of advice and lessons that are not shown. */
    readonly cut: number;
  }[];
  readonly task: FencedText;
  readonly actor: {
    readonly outcome: string;
    readonly strategy: string;
    readonly rationale: string;
    readonly message: string;
    readonly tried: number;
    readonly nearest: string;
  };
  readonly actionCount: number;
  readonly lastAction: number;
  readonly actions: readonly {
    readonly index: number;
    readonly type: string;
    readonly about: string;
    readonly counts: string;
    readonly description: string;
  }[];
  readonly actionsCut: number;
  readonly changed: readonly string[];
  readonly changedCut: number;
  readonly patch: FencedText;
  /** Files whose part of the diff is left out as a whole. */
  readonly patchCut: number;
  readonly checks: readonly {
    readonly name: string;
    readonly status: string;
    readonly detail: string;
    readonly command: string;
    /** Of a check that fails without a failure that could be read out of it. */
    readonly output: FencedText;
  }[];
  readonly checksCut: number;
  readonly failures: readonly {
    readonly state: 'new' | 'changed' | 'same';
    readonly check: string;
    readonly type: string;
    readonly title: string;
    readonly place: string;
    readonly message: string;
    readonly hasExpected: boolean;
    readonly hasReceived: boolean;
    readonly expected: string;
    readonly received: string;
    readonly frames: readonly string[];
    readonly framesCut: number;
  }[];
  readonly failuresCut: number;
  readonly fixed: readonly string[];
  readonly fixedCut: number;
  readonly unseen: readonly string[];
  readonly unseenCut: number;
  readonly tampering: readonly { readonly kind: string; readonly file: string; readonly detail: string }[];
  readonly tamperingCut: number;
  readonly rewardBefore: string;
  readonly rewardAfter: string;
  readonly rewardChange: string;
}

/** Variables of `reflect-repair.hbs`. */
export interface ReflectRepairPrompt {
  /** What was asked, as it was asked. */
  readonly question: string;
  readonly answer: FencedText;
  /** `broken`: no reflection by its schema. `weak`: one that is not worth keeping. */
  readonly broken: boolean;
  readonly reasons: readonly string[];
}

/** Bytes that the question aims at: the sections' own limits and what they leave for the diff. */
const QUESTION = 18_500;
const LEAST_PATCH = 3000;
const ANSWER = 2400;
const REASONS = 900;

/** What a reflector is told of one failed attempt, at most 20 KiB. The diff gets what the rest leaves of the room. */
export function reflectPrompt(source: ReflectSource): ReflectPrompt {
  const rest = { ...tellAttempt(source), ...tellVerdict(source) };
  const room = Math.max(LEAST_PATCH, QUESTION - byteSize(rest));
  const { patch, cut } = fencedPatch(source.input.patch, room);
  return { ...rest, patch, patchCut: cut };
}

/** What is asked after an answer that was not taken, at most 24 KiB: the same question, the answer, what is wrong. */
export function reflectRepairPrompt(refused: {
  readonly question: string;
  readonly answer: string;
  readonly broken: boolean;
  readonly reasons: readonly string[];
}): ReflectRepairPrompt {
  return {
    question: refused.question,
    answer: fenced(refused.answer, ANSWER),
    broken: refused.broken,
    reasons: within(refused.reasons, REASONS, (reason) => line(reason, 300)).shown,
  };
}
