import { MOST_BLOCKS } from '../../gate/blocks.ts';
import { isNoteworthy } from '../../gate/pass-text.ts';
import type { SessionStore } from '../../gate/session-store.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { Evaluation, GateAnswer, GateSession } from '../../schema/generated.ts';
import type { Repository } from '../../workspace/repository.ts';
import type { Snapshots } from '../../workspace/snapshots/snapshots.ts';
import { hashOf } from '../installed-stamp.ts';
import type { GateCall } from './gate-project.ts';
import type { Listener } from './session-judge.ts';

/** A question whether an agent may stop. */
export interface CheckRequest extends GateCall, Listener {
  /** The agent's id of the session. */
  readonly session: string;
  /** The agent's name for people. */
  readonly agent: string;
  /** Checks that are red in the base must be green as well, also if the session was started without that. */
  readonly isAllGreen: boolean;
  /** True if the agent goes on because of the block before. */
  readonly isContinued: boolean;
  /** Whether the number of blocks in a row is limited. */
  readonly isLimited: boolean;
  /** The agent's last message; empty if it is not known. */
  readonly said: string;
  /** Where the agent is, if that is not the repository of its session. */
  readonly calledFrom?: string | undefined;
  /** The commit on which the session began in another work tree of the repository: its files are the base of this one. */
  readonly startCommit?: string;
  /** Trees to compare instead of the session's base and the files of now; undefined for a session. */
  readonly trees?: ((repository: Repository, snapshots: Snapshots) => Promise<ComparedTrees>) | undefined;
}

/** Two trees of ralph's snapshots. */
export interface ComparedTrees {
  readonly base: TreeId;
  readonly tree: TreeId;
}

/** The answer to an agent that wants to stop. */
export interface CheckAnswer {
  readonly passed: boolean;
  /** True if it did not pass and the agent is let go nevertheless, since it was blocked as often as is allowed. */
  readonly isSpent: boolean;
  /** For the agent if it did not pass, else one sentence or two. */
  readonly text: string;
  /** True if it passed and the agent's user must know more: checks are still red. */
  readonly isNoteworthy: boolean;
  /** Sentences for the agent's user on what the answer cannot rest on, such as a start that was set anew. */
  readonly notes: readonly string[];
  /** True if the same tree was judged before, and nothing ran now. */
  readonly isKnown: boolean;
  /** Present if the tree was judged now. */
  readonly evaluation?: Evaluation;
  readonly baseline?: Evaluation;
  readonly session: GateSession;
}

/** A check, with the repository's sessions. */
export interface CheckContext {
  readonly request: CheckRequest;
  readonly repository: Repository;
  readonly store: SessionStore;
}

/** An answer that is not stored yet. */
export interface Settled extends Pick<CheckAnswer, 'isKnown' | 'evaluation' | 'baseline' | 'notes'> {
  readonly answer: GateAnswer;
  readonly watched?: GateSession['watched'];
  /** The session is stored already, with this answer and without blocks. Default false. */
  readonly isStored?: boolean;
}

/** Counts the block, stores the session and words the answer. */
export async function settle(
  {
    request,
    repository,
    store,
  }: Pick<CheckContext, 'request' | 'store'> & { readonly repository: Pick<Repository, 'root'> },
  session: GateSession,
  { answer, isKnown, watched, notes, isStored = false, ...judged }: Settled,
): Promise<CheckAnswer> {
  const { passed } = answer;
  const number = session.blocks + 1;
  const isSpent = !passed && request.isLimited && number > MOST_BLOCKS;
  const text = passed || !isKnown ? answer.text : await repeatedText(answer, { request, repository, number });
  const next = {
    ...session,
    checks: session.checks + (isKnown ? 0 : 1),
    blocks: passed || isSpent ? 0 : number,
    // A step in a text for the user alone was not told to the agent.
    last: { ...answer, ...(isSpent && told(session.last)), asked: stampOfAsked(request) },
    ...(watched && { watched }),
  };
  if (!isStored) await store.write(next);
  return {
    passed,
    isSpent,
    text,
    isNoteworthy: passed && isNoteworthy(text),
    notes: [...notes, ...(answer.notes ?? [])],
    isKnown,
    session: next,
    ...judged,
  };
}

function told(last: GateAnswer | undefined): Pick<GateAnswer, 'next' | 'undo'> {
  return { next: last?.passed === false ? (last.next ?? '') : '', undo: last?.undo === true };
}

/** Changes with the settings of a call: an agent may call the gate itself with others, such as `--allow`. */
export function stampOfAsked({ flags, isAllGreen }: CheckRequest): string {
  return hashOf([flags, isAllGreen]);
}

interface Repeated extends Pick<CheckContext, 'request'> {
  readonly repository: Pick<Repository, 'root'>;
  readonly number: number;
}

async function repeatedText(
  { text }: GateAnswer,
  { request, repository, number }: Repeated,
): Promise<string> {
  const { renderRepeated } = await import('../../gate/message.ts');
  const shown = request.isLimited ? { number, limit: MOST_BLOCKS } : { number: 0, limit: 0 };
  return renderRepeated(text, { ...shown, repository: repository.root });
}
