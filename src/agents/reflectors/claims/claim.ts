import type { ChangedLine, SeenValue } from '../../../ports/reflection.ts';
import type { Diagnostic } from '../../../schema/generated.ts';

/** Consecutive lines of a file and their replacement; `line` is 1-based, in the new file. */
export interface ChangedLines {
  readonly file: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** The effects of an attempt on failures, in the order in which a reflection tells them. */
export const EFFECTS = [
  ...(['fixed', 'unrun', 'without', 'passing', 'unseen'] as const),
  ...(['moved', 'same', 'fresh', 'failing', 'revealed'] as const),
] as const;

/** A statement about an attempt. It is only written if its checker finds it in the record of that attempt. */
export type Claim =
  /** The patch replaces exactly these lines of one file; `line` is the first changed line of the new file. */
  | {
      readonly kind: 'line_changed';
      readonly file: string;
      readonly line: number;
      readonly before: string;
      readonly after: string;
    }
  /** The patch makes exactly these changes, each as in `line_changed`. */
  | { readonly kind: 'lines_changed'; readonly edits: readonly ChangedLines[] }
  /** The patch changes the ends of so many lines of this one file, and of its code exactly this. */
  | {
      readonly kind: 'line_ends_changed';
      readonly file: string;
      readonly lines: number;
      readonly to: 'CRLF' | 'LF';
      readonly edits: readonly ChangedLines[];
    }
  /** The patch adds or deletes this file and changes nothing else. */
  | { readonly kind: 'file_added' | 'file_deleted'; readonly file: string }
  /** The patch changes exactly these files. */
  | { readonly kind: 'files_changed'; readonly files: readonly string[] }
  | { readonly kind: 'nothing_changed' }
  /** The patch changes nothing but comments, prose or layout. */
  | { readonly kind: 'code_kept' }
  /** An earlier attempt (1-based) made the same change or ended in the same tree; 0 for the original tree. */
  | { readonly kind: 'same_change' | 'same_tree'; readonly attempt: number }
  /** The actions of an actor that changed no file. */
  | {
      readonly kind:
        | 'no_answer'
        | 'timed_out'
        | 'reported_done'
        | 'ended_well'
        | 'refused_to_answer'
        | 'gave_up'
        | 'actor_failed'
        | 'out_of_budget';
    }
  | {
      readonly kind: 'commands_failed';
      readonly count: number;
      readonly command: string;
      readonly description: string;
    }
  | { readonly kind: 'edits_tried'; readonly count: number }
  /** So many edits fix failing tests and break none in a run of the whole check, and none was sure enough to be applied. */
  | { readonly kind: 'edits_withheld'; readonly count: number }
  /** Something that the verdict depends on was edited; the detail is ralph's own sentence. */
  | { readonly kind: 'tampered'; readonly detail: string }
  | { readonly kind: 'reward'; readonly before: number; readonly after: number }
  /**
   * The failures with this state are exactly these. Gone for another reason than the attempt: `unrun`, their tests ran no line that it
   * wrote; `without`, they passed again on the tree before it; `passing`, it changed no code. `failing`: new, and it changed no code.
   */
  | {
      readonly kind: (typeof EFFECTS)[number];
      readonly failures: readonly Diagnostic[];
      /** Another list names a test of this name too, so that the place tells them apart. */
      readonly isPlaced?: boolean;
    }
  | { readonly kind: 'check_failed'; readonly check: string; readonly detail: string }
  | { readonly kind: 'missing_tests'; readonly tests: readonly string[] }
  /** The failure is reported after the attempt, at its place and with its values. */
  | { readonly kind: 'reported'; readonly failure: Diagnostic }
  /** The failure is reported on a line that the patch wrote. */
  | { readonly kind: 'on_edited_line'; readonly failure: Diagnostic }
  /** The same test received another value before the attempt. */
  | { readonly kind: 'received_before'; readonly failure: Diagnostic; readonly before: string }
  /** A run of the failure's test with traces reached these of the changed lines, or none of them. */
  | { readonly kind: 'ran_lines'; readonly failure: Diagnostic; readonly lines: readonly ChangedLine[] }
  | { readonly kind: 'ran_no_line'; readonly failure: Diagnostic }
  /** In that run these expressions had these values. */
  | {
      readonly kind: 'values_seen';
      readonly failure: Diagnostic;
      readonly values: readonly SeenValue[];
      /** The sentence has not named the run yet. */
      readonly isFirst: boolean;
    }
  /** The failure has frames in the source, and none is in a changed file. */
  | { readonly kind: 'frames_elsewhere'; readonly failure: Diagnostic }
  /** The same failure was among the errors of these earlier attempts, 1-based. */
  | {
      readonly kind: 'seen_before';
      readonly failure: Diagnostic;
      readonly attempts: readonly number[];
      /** The text has named the failure already. */
      readonly isNamed: boolean;
    }
  /**
   * The next attempt starts from another tree than this attempt's: 0 for the original one, else an attempt's. `failure` is
   * reported for that tree.
   */
  | { readonly kind: 'rolled_back'; readonly from: number; readonly failure?: Diagnostic | undefined };

/** The claims of one kind. */
export type OfKind<K extends Claim['kind']> = Claim extends infer One
  ? One extends { readonly kind: infer Kind }
    ? K extends Kind
      ? One
      : never
    : never
  : never;
