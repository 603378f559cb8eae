import type { ReflectionInput } from '../ports/reflection.ts';
import type { Diagnostic } from '../schema/generated.ts';
import { byteSize, fenced, line, within, type FencedText } from './bounded-data.ts';
import { fencedPatch } from './fenced-patch.ts';
import { attemptSections, resultSections } from './reflect-sections.ts';

/** An attempt, and its failures compared with those of its starting point. */
export interface ReflectSource {
  readonly input: ReflectionInput;
  /** Files that the attempt left changed. */
  readonly changed: readonly string[];
  /** Current errors, the most important one first. */
  readonly failures: readonly Diagnostic[];
  readonly fixed: readonly Diagnostic[];
  /** Failures that are absent only because their test or check did not run. */
  readonly unseen: readonly Diagnostic[];
  /** Failures of tests that failed before in a different way. */
  readonly moved: readonly Diagnostic[];
  /** Failures of tests or checks that did not fail before. */
  readonly fresh: readonly Diagnostic[];
}

/** Variables of `reflect.hbs`. Every text is one line, except for fenced texts. */
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
    /** Number of insights and lessons left out. */
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
  /** Number of files whose diff is left out. */
  readonly patchCut: number;
  readonly checks: readonly {
    readonly name: string;
    readonly status: string;
    readonly detail: string;
    readonly command: string;
    /** Output of a failed check from which no failure could be parsed; empty for other checks. */
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
    /** Values in a traced run of its test; empty where none are known. */
    readonly values: string;
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
  /** The original prompt. */
  readonly question: string;
  readonly answer: FencedText;
  /** True: the answer does not match the schema. False: the quality gate rejected it. */
  readonly broken: boolean;
  readonly reasons: readonly string[];
}

/** Target size of the prompt in bytes; the diff gets the space that the other sections leave. */
const PROMPT_BYTES = 18_500;
const MIN_PATCH_BYTES = 3000;
const ANSWER_BYTES = 2400;
const REASONS_BYTES = 900;

/** Variables for the reflection on one failed attempt, at most 20 KiB. The diff gets the space that the other sections leave. */
export function reflectPrompt(source: ReflectSource): ReflectPrompt {
  const rest = { ...attemptSections(source), ...resultSections(source) };
  const room = Math.max(MIN_PATCH_BYTES, PROMPT_BYTES - byteSize(rest));
  const { patch, cut } = fencedPatch(source.input.patch, room);
  return { ...rest, patch, patchCut: cut };
}

/** Variables of the prompt after a rejected answer, at most 24 KiB: the original prompt, the answer, the reasons. */
export function reflectRepairPrompt(refused: {
  readonly question: string;
  readonly answer: string;
  readonly broken: boolean;
  readonly reasons: readonly string[];
}): ReflectRepairPrompt {
  return {
    question: refused.question,
    answer: fenced(refused.answer, ANSWER_BYTES),
    broken: refused.broken,
    reasons: within(refused.reasons, REASONS_BYTES, (reason) => line(reason, 300)).shown,
  };
}
