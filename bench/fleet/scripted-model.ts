import type { Fleet } from '../../src/fleet/queue/open-fleet.ts';
import {
  startWireServer,
  type WireReply,
  type WireRequest,
  type WireServer,
} from '../../test/support/wire/index.ts';

/** Silence before each reply, so that a kill finds some of them under way. */
const DELAY_MS = 400;
const EDIT = { path: 'src/add.js', edits: [{ oldText: 'a - b', newText: 'a + b' }] };
/** The replies of a loop, by the number of those that its request contains. */
const SESSION: readonly WireReply[] = [
  { toolCalls: [{ name: 'list', input: {} }] },
  { toolCalls: [{ name: 'read', input: { path: 'src/add.js' } }] },
  { toolCalls: [{ name: 'edit', input: EDIT }] },
  {},
];

/** Model calls of a run, by the log of the loopback server and by what the database has. */
export interface PaidReplies {
  readonly replies: number;
  /** Replies that the database has. */
  readonly stored: number;
  /** Calls for a reply that the database had already. */
  readonly paid_twice: number;
  /** Replies that were on their way to a worker when it was killed. */
  readonly lost_on_the_way: number;
}

/** Starts a model that repairs the bench's repository in four calls. Each reply has its number as text. */
export function startModel(): Promise<WireServer> {
  return startWireServer((request) => ({
    text: textOf(request.number),
    ...(SESSION[repliesIn(request)] ?? SESSION.at(-1)!),
    delayMs: DELAY_MS,
  }));
}

/** The task of a job, by which its model calls are known. */
export function taskOf(job: number): string {
  return `make the check pass (job ${job})`;
}

/** Compares the server's log with the replies that are stored. */
export async function countPaidReplies({ database }: Fleet, model: WireServer): Promise<PaidReplies> {
  const rows = await database.query<{ text: string }>(
    `SELECT string_agg(convert_from(content, 'UTF8'), '' ORDER BY part) AS text FROM ralph.loop_file
     WHERE path LIKE '%/model-calls.jsonl' GROUP BY job`,
  );
  const numbers = rows.flatMap(({ text }) =>
    [...text.matchAll(/reply-number-(\d+)\b/g)].map(([, n]) => Number(n)),
  );
  const stored = new Set(numbers);
  const seen = new Set<string>();
  let paidTwice = 0;
  for (const request of model.requests) {
    const call = `${/\(job (\d+)\)/.exec(request.body)?.[1]} ${repliesIn(request)}`;
    if (seen.has(call)) paidTwice++;
    if (stored.has(request.number)) seen.add(call);
  }
  return {
    replies: model.requests.length,
    stored: stored.size,
    paid_twice: paidTwice,
    lost_on_the_way: model.requests.length - stored.size,
  };
}

function textOf(number: number): string {
  return `reply-number-${number}`;
}

/** Replies that a request contains. */
function repliesIn({ json }: WireRequest): number {
  const messages = json['messages'] as readonly { readonly role: string }[];
  return messages.filter(({ role }) => role === 'assistant').length;
}
