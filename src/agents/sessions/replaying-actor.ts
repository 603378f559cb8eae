import { git } from '../../platform/git/git.ts';
import { messageOf } from '../../errors.ts';
import { redact } from '../../platform/redaction/redact.ts';
import { plural } from '../../platform/text/plural.ts';
import type { Actor } from '../../ports.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { Trajectory } from '../../schema/generated.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import { agentPrompt } from '../agent-prompt.ts';
import { describeDifference } from './describe-difference.ts';
import { sessionName, type RecordedSession } from './recorded-session.ts';

export interface ReplayingActorOptions {
  /** Name of the recorded actor. */
  readonly name: string;
  /** Absolute path of the recording. */
  readonly path: string;
  readonly sessions: readonly RecordedSession[];
  /** One sentence on why some may be missing; undefined if none should be. */
  readonly whyIncomplete: string | undefined;
}

const RECORD_AGAIN = 'Record the run again with --record, or leave --replay out.';

/**
 * An actor that repeats recorded attempts: it makes their edits, starts no program and costs nothing. A prompt that differs from
 * the recorded one is a warning that says where; edits that do not apply, and a missing attempt, end the loop.
 */
export function createReplayingActor({ name, path, sessions, whyIncomplete }: ReplayingActorOptions): Actor {
  return {
    name,
    async attempt(context) {
      const { iteration: attempt, sample = null } = context;
      const here = sessionName({ attempt, sample });
      const session = sessions.findLast((one) => one.attempt === attempt && one.sample === sample);
      if (session === undefined)
        return failed(
          name,
          `${path} has ${plural(sessions.length, 'attempt')}, and no ${here}.${whyIncomplete === undefined ? '' : ` ${whyIncomplete}`}`,
        );
      if (session.has_secret)
        return failed(name, `${path} does not have the edits of ${here}, because they hold a secret.`);
      const difference = describeDifference(session.prompt, redact(await agentPrompt(context)));
      if (difference !== undefined)
        context.onWork({
          type: 'warning',
          text: `The replay leaves the recorded path in ${here}: its prompt differs ${difference}. The recorded edits are made all the same.`,
        });
      const problem = await applyEdits(session, context);
      if (problem !== undefined)
        return failed(name, `The recorded edits of ${here} cannot be made: ${problem}`);
      for (const action of session.trajectory.actions) context.onWork({ type: 'action', action });
      return { ...session.trajectory, usage: { ...session.trajectory.usage, cost_usd: 0 } };
    },
  };
}

/** Makes the edits of a session. Returns what prevents it, with file and line; undefined if they are made. */
async function applyEdits({ patch }: RecordedSession, { root }: AttemptContext): Promise<string | undefined> {
  if (patch === '') return undefined;
  try {
    await git(['apply', '--binary', '--whitespace=nowarn', '-'], { cwd: root, input: patch });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function failed(name: string, message: string): Trajectory {
  return {
    actor: name,
    actions: [],
    rationale: '',
    strategy: 'replay',
    outcome: 'failed',
    message,
    fatal: { message, hint: RECORD_AGAIN },
    usage: NO_USAGE,
    ruled_out: { tried: 0, edits: [] },
    duration_ms: 0,
  };
}
