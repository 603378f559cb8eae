import { joinList, oneLine, renderPlace, shownCode } from '../../../prompts/phrases.ts';
import { holds } from '../claims/checks.ts';
import { areCommandsAtFault, hasFailed } from '../claims/failed-commands.ts';
import type { Trajectory } from '../../../schema/generated.ts';
import { isReported, type Evidence } from '../evidence.ts';
import { idleClaims } from '../actor-claims.ts';
import { isOfProtected } from '../protected-kinds.ts';
import { nameOf } from './named.ts';

/** A step after an edit that is refused; undefined without one. */
export function tamperedStep(evidence: Evidence): string | undefined {
  const { input } = evidence;
  const found = [...(input.evaluation.tampering ?? []), ...input.tampering].filter(
    ({ kind }) => kind !== 'claimed_without_change',
  );
  if (found.length === 0) return undefined;
  const files = [...new Set(found.flatMap(({ file }) => (file === '' ? [] : [file])))];
  const named =
    files.length === 0 ? 'what the verdict depends on' : joinList(files.map((file) => renderPlace({ file })));
  const [lead] = evidence.ahead;
  const work = lead === undefined ? '' : ` and work on ${nameOf(lead)}`;
  if (found.every(({ kind }) => kind === 'changed_while_checked'))
    return `write nothing to ${named} while the checks run (a test writes in a folder of its own)${work}`;
  const isAllProtected = found.every(({ kind, file }) => file === '' || isOfProtected(kind));
  return isAllProtected
    ? `leave ${named} alone${work}`
    : `make no edit of ${named} that is refused like this one${work}`;
}

/** A step for an actor that made no edit for a reason that has nothing to do with the code; undefined for another attempt. */
export function idleStep(evidence: Evidence): string | undefined {
  const step = reasonStep(evidence);
  const [lead] = evidence.ahead;
  return step === undefined || lead === undefined || isReported(evidence, lead)
    ? step
    : `${step}; the first failure to work on is ${nameOf(lead)}`;
}

/** The actor that tries small edits; it makes none before it has found one. */
const SEARCH = 'search';

/** True for a command that failed in an earlier attempt of the loop too. */
function hasFailedBefore({ earlier }: Evidence, command: string): boolean {
  return earlier.some(({ actor_output: { actions } }) =>
    actions.some((one) => one.command === command && hasFailed(one.description)),
  );
}

/** The actor as the user chose it: the name of an agent or a model says more than the way by which it is driven. */
function actorOf({ actor, strategy }: Trajectory): string {
  const [, agent] = /(?:^|then: )agent (.+?)(?: with .*)?$/.exec(strategy) ?? [];
  const [, model] = /(?:^|then: )ReAct with (\S+):/.exec(strategy) ?? [];
  if (agent !== undefined) return `the agent "${oneLine(agent, 60)}"`;
  return model === undefined ? `the actor "${oneLine(actor, 60)}"` : `the model ${oneLine(model, 60)}`;
}

function reasonStep(evidence: Evidence): string | undefined {
  const { attempt, input } = evidence;
  const next = attempt + 1;
  // Whoever is watched in a session is not chosen anew for the next attempt.
  if (input.isWatched === true) return undefined;
  for (const claim of idleClaims(evidence).filter((one) => holds(one, input))) {
    if (claim.kind === 'commands_failed' && areCommandsAtFault(claim))
      return /\bexit code 127\b/.test(claim.description) || hasFailedBefore(evidence, claim.command)
        ? `do without ${shownCode(claim.command)}, which ${/\bexit code 127\b/.test(claim.description) ? 'was not found' : 'failed in an earlier attempt too'}`
        : `run ${shownCode(claim.command)} alone and read its error before any other command`;
    if (claim.kind === 'no_answer' || claim.kind === 'refused_to_answer')
      return `need another model if attempt ${next} has no answer either`;
    if (claim.kind === 'edits_withheld')
      return 'add a test that tells the plausible edits apart, or apply one of them after reading it';
    if (claim.kind === 'timed_out' && input.trajectory.actor === SEARCH)
      return 'search on where this attempt stopped: more time (`--max-time`) lets it try more edits';
    if (claim.kind === 'timed_out')
      return `make the first edit before the time limit; if attempt ${next} makes none either, it needs a longer limit${input.trajectory.actor === 'command' ? '' : ' or another model'}`;
    if (claim.kind === 'actor_failed' && input.trajectory.actor === 'command')
      return `need a program that ends with exit code 0 and leaves edits, if attempt ${next} fails in the same way`;
    if (claim.kind === 'actor_failed')
      return `need ${actorOf(input.trajectory)} set up, or another one, if it fails in the same way`;
  }
  return undefined;
}
