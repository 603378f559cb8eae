import type { ServerResponse } from 'node:http';
import { ralphFolder } from '../platform/ralph-folder.ts';
import { firstLine } from '../report/page/figures.ts';
import type { JournalRecord } from '../schema/generated.ts';
import { scanJournal } from '../state/journal.ts';
import { commonHeaders, send, textAnswer } from './answer.ts';
import { followJournals, type JournalFollower } from './follow-journals.ts';
import { readLoop, readLoops, type ShownLoop } from './local-loops.ts';

/** Streams of running loops (server-sent events). */
export interface LiveEvents {
  /**
   * Opens a stream of all running loops, or of one. It begins with their state and latest steps, so that a client that
   * reconnects misses nothing.
   */
  open(response: ServerResponse, loopId?: string): Promise<void>;
  /** Number of open streams. */
  readonly streams: number;
  close(): void;
}

const LOOK_MS = 150;
/** Every n-th look is at all journals, so that new loops are seen. */
const ALL_EVERY = 6;
const MOST_STREAMS = 64;
/** A client that reads nothing is dropped when this much waits for it. */
const MOST_WAITING_BYTES = 1_000_000;
const LATEST_STEPS = 100;
const PING_EVERY = 100;

interface Stream {
  readonly response: ServerResponse;
  readonly loopId: string | undefined;
  /** Events that wait for the present state. */
  held: string[] | undefined;
}

/** Creates the streams of a repository. Journals are looked at only while a stream is open. */
export function createLiveEvents(repositoryRoot: string, warn: (text: string) => void): LiveEvents {
  const streams = new Set<Stream>();
  let timer: NodeJS.Timeout | undefined;
  let follower: Promise<JournalFollower> | undefined;
  let looks = 0;
  const emit = (text: string, loopId?: string): void => {
    for (const stream of streams)
      if (loopId === undefined || stream.loopId === undefined || stream.loopId === loopId)
        write(stream, text);
  };
  const lookOnce = async (): Promise<void> => {
    looks++;
    if (looks % PING_EVERY === 0) emit(': still here\n\n');
    follower ??= followJournals(repositoryRoot);
    const news = await (await follower).look(looks % ALL_EVERY === 0);
    for (const { loopId, records } of news) {
      emit(records.map((record) => stepEvent(loopId, record)).join(''), loopId);
      const loop = await readLoop(repositoryRoot, loopId);
      if (loop !== undefined) emit(stateEvent(loop), loopId);
    }
  };
  const look = async (): Promise<void> => {
    await lookOnce().catch((error: unknown) => warn(`The journals cannot be followed: ${String(error)}`));
    timer = streams.size === 0 ? undefined : setTimeout(() => void look(), LOOK_MS);
    if (streams.size === 0) follower = undefined;
  };
  return {
    get streams() {
      return streams.size;
    },
    async open(response, loopId) {
      if (streams.size >= MOST_STREAMS)
        return send(response, textAnswer(503, 'Too many pages are open. Close one of them.\n'));
      const held: string[] = [];
      const stream: Stream = { response, loopId, held };
      response.on('close', () => streams.delete(stream));
      response.writeHead(200, { ...commonHeaders(), 'content-type': 'text/event-stream; charset=utf-8' });
      streams.add(stream);
      follower ??= followJournals(repositoryRoot);
      timer ??= setTimeout(() => void look(), LOOK_MS);
      await follower;
      // News from here on wait until the present state is sent: a step may come twice, but none is missed.
      const present = await snapshot(repositoryRoot, loopId);
      stream.held = undefined;
      write(stream, `retry: 1000\n\n${present}${held.join('')}`);
    },
    close() {
      clearTimeout(timer);
      for (const { response } of streams) response.end();
      streams.clear();
    },
  };
}

function write({ response, held }: Stream, text: string): void {
  if (held !== undefined) held.push(text);
  else if (response.destroyed || response.writableEnded) return;
  else if (response.writableLength > MOST_WAITING_BYTES) response.destroy();
  else response.write(text);
}

/** Events that tell the present state. */
async function snapshot(repositoryRoot: string, loopId: string | undefined): Promise<string> {
  const loops =
    loopId === undefined
      ? (await readLoops(repositoryRoot)).loops.filter(({ status }) => status === 'running')
      : [await readLoop(repositoryRoot, loopId)].filter((loop) => loop !== undefined);
  return loops
    .map((loop) => {
      const { loop_id: id } = loop.state;
      const { records } = scanJournal(ralphFolder(repositoryRoot).journal(id));
      return (
        stateEvent(loop) +
        records
          .slice(-LATEST_STEPS)
          .map((record) => stepEvent(id, record))
          .join('')
      );
    })
    .join('');
}

function stateEvent({ state, status }: ShownLoop): string {
  return renderEvent('state', {
    loop: state.loop_id,
    task: firstLine(state.task),
    status: status.replaceAll('_', ' '),
    attempts: `${state.iteration} of ${state.max_iterations}`,
    reward: rewardOf(state),
  });
}

/** `attempt 2: evaluate` for the step `2:evaluate`. Nothing of its data is told. */
function stepEvent(loop: string, { seq, at, step }: JournalRecord): string {
  const [, attempt, name] = /^(\d+):(.+)$/.exec(step) ?? [];
  return renderEvent('step', {
    loop,
    seq,
    at,
    text: attempt === undefined ? step : `attempt ${attempt}: ${name}`,
  });
}

/** Reward of the baseline and of the best attempt: `0.333 → 1.000`. */
export function rewardOf(state: { readonly baseline_reward: number; readonly reward: number }): string {
  return `${state.baseline_reward.toFixed(3)} → ${state.reward.toFixed(3)}`;
}

/** A server-sent event with one JSON object. */
export function renderEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
