import type { Trajectory } from '../../schema/generated.ts';
import { appendLine } from '../../platform/files/append-line.ts';
import { sealedLine } from '../../platform/files/sealed.ts';
import { redact, redactKnown, redactValue } from '../../platform/redaction/redact.ts';

/** One attempt of an agent or a command: a line of a recording. */
export interface RecordedSession {
  readonly channel: 'agent';
  /** 1-based. */
  readonly attempt: number;
  /** 1-based; null without --samples. */
  readonly sample: number | null;
  /** Without secrets. */
  readonly prompt: string;
  /** Its edits, for `git apply`; empty if it made none, or if they hold a secret. */
  readonly patch: string;
  /** True if the edits hold a secret, so that they are not recorded. */
  readonly has_secret: boolean;
  readonly trajectory: Trajectory;
}

/** The name of an attempt for people: `attempt 2`, with --samples `attempt 2, sample 3`. */
export function sessionName({ attempt, sample }: Pick<RecordedSession, 'attempt' | 'sample'>): string {
  return `attempt ${attempt}${sample === null ? '' : `, sample ${sample}`}`;
}

/** Appends a session to a recording, which must have its header. `patch` may hold secrets. */
export function appendSession(path: string, session: Omit<RecordedSession, 'channel' | 'has_secret'>): void {
  const { patch, prompt, trajectory } = session;
  const hasSecret = redactKnown(patch) !== patch;
  const record: RecordedSession = {
    channel: 'agent',
    ...session,
    prompt: redact(prompt),
    patch: hasSecret ? '' : patch,
    has_secret: hasSecret,
    trajectory: redactValue(trajectory),
  };
  appendLine(path, sealedLine(record));
}

/** True for a line of a recording that is a session. */
export function isRecordedSession(value: unknown): value is RecordedSession {
  const session = value as Partial<RecordedSession> | null;
  return (
    session?.channel === 'agent' &&
    typeof session.attempt === 'number' &&
    typeof session.patch === 'string' &&
    typeof session.prompt === 'string' &&
    session.trajectory !== undefined
  );
}
