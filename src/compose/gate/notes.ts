import { BY_HAND } from '../../gate/session-store.ts';
import { describeHookChanges, hookState } from '../../gate/settings/hook-state.ts';
import type { GateSession } from '../../schema/generated.ts';
import type { Repository } from '../../workspace/repository.ts';
import type { CheckRequest } from './answer.ts';
import { describeVariables } from './variables-of-start.ts';

/** What the agent's user must know about the session, whatever the checks say. */
export function notesOn(
  session: GateSession,
  request: CheckRequest,
  { root }: Pick<Repository, 'root'>,
): string[] {
  if (request.trees !== undefined) return [];
  const variables = describeVariables(session, request.env);
  if (request.session === BY_HAND) return variables;
  const { forgotten_at: forgotten, started_at: since, hooks } = session;
  const isOther = session.session !== request.session;
  const isCommit = hooks === undefined;
  const { startCommit } = request;
  return [
    ...(startCommit === undefined
      ? []
      : [
          `The session was started in another work tree: the files of ${root} are compared with commit ${startCommit.slice(0, 10)}, on which it began.`,
        ]),
    ...(isCommit && startCommit === undefined ? [NOT_STARTED] : []),
    ...(request.calledFrom === undefined
      ? []
      : [`${STARTED_ELSEWHERE} ${root}: that was judged, not ${request.calledFrom}.`]),
    ...(isOther
      ? [
          `No start of this session is stored: the files are compared with the start by hand of ${timeOf(since)}.`,
        ]
      : []),
    ...(forgotten === undefined
      ? []
      : [
          `The start of this session was set anew at ${timeOf(since)} (ralph gate start --again, or stop and start): what changed since ${timeOf(forgotten)} was not judged.`,
        ]),
    ...variables,
    ...(hooks === undefined ? [] : describeHookChanges(hooks, hookState(root))),
  ];
}

/** The beginning of the sentence on a session that was started in another folder. */
export const STARTED_ELSEWHERE = 'The session was started in';

/** To the minute: `2026-11-25 18:03 UTC`. */
function timeOf(iso: string): string {
  return `${iso.replace('T', ' ').slice(0, 16)} UTC`;
}

/** For the user of an agent whose session was not started. */
export const NOT_STARTED =
  'No start of the gate is stored, as if it was not started before the work or was stopped since (ralph gate stop): the files are compared with the last commit.';
