import { BY_HAND, rootsOfSession, type SessionStore } from '../../gate/session-store.ts';
import { describeHookChanges, hookState } from '../../gate/settings/hook-state.ts';
import { joinList } from '../../prompts/phrases.ts';
import type { GateSession } from '../../schema/generated.ts';
import type { Repository } from '../../workspace/repository.ts';
import type { CheckRequest } from './answer.ts';
import { describeEnvironment } from './environment-of-start.ts';
import { describeVariables } from './variables-of-start.ts';

/** What the agent's user must know about the session, whatever the checks say. */
export function notesOn(
  session: GateSession,
  request: CheckRequest,
  { root, store }: Pick<Repository, 'root'> & { readonly store: Pick<SessionStore, 'list'> },
): string[] {
  if (request.trees !== undefined) return [];
  const variables = [
    ...describeVariables(session, request.env),
    ...describeEnvironment(session, request.env),
  ];
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
    ...(isCommit && startCommit === undefined ? [notStarted(request.session, store)] : []),
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

const MOST_NAMED = 3;

/** For the user of an agent whose session was not started: which one was asked for, and which were started. */
export function notStarted(session: string, store: Pick<SessionStore, 'list'>): string {
  const asked = session === BY_HAND ? 'for a check by hand' : `for the session ${shortId(session)}`;
  const elsewhere = session === BY_HAND ? [] : rootsOfSession(session);
  if (elsewhere.length > 0)
    return `${STARTED_ELSEWHERE} ${joinList(elsewhere.slice(0, MOST_NAMED))}, and not in this repository: the files here are compared with the last commit, and those there were not judged.`;
  const started = store.list().filter(({ hooks }) => hooks !== undefined);
  const named = started.slice(0, MOST_NAMED).map((one) => shortId(one.session));
  const more = started.length > MOST_NAMED ? [`${started.length - MOST_NAMED} more`] : [];
  const others = started.length === 0 ? '' : `, only of ${joinList([...named, ...more])}`;
  return `No start of the gate is stored ${asked}${others}, as if it was not started before the work or was stopped since (ralph gate stop): the files are compared with the last commit.`;
}

function shortId(session: string): string {
  return session.replaceAll(/[^\w. -]/g, '?').slice(0, 80);
}
