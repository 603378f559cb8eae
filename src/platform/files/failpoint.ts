import { appendFileSync } from 'node:fs';

/**
 * Places at which a test run can kill the process or make the disk fail, in the order in which a loop reaches them.
 * The subject of a hit is the step, or the path of the file.
 */
export const FAILPOINTS = [
  // The lock is held; the note with its holder is written.
  'lock.taken',
  'lock.noted',
  // A step begins; has a result; the file with the result is written; the result is in the journal.
  'step.begin',
  'step.done',
  'step.stored',
  'step.journaled',
  // A file is replaced: temporary file open, half of it written, all of it, synced, renamed, folder synced.
  'write.opened',
  'write.half',
  'write.written',
  'write.synced',
  'write.renamed',
  'write.done',
  // A line is appended to a file: open, half of the line written, all of it, synced.
  'append.opened',
  'append.half',
  'append.written',
  'append.done',
  // A snapshot is taken: index written, tree object written, ref written. A snapshot is restored.
  'snapshot.staged',
  'snapshot.written',
  'snapshot.kept',
  'restore.begin',
  'restore.done',
  // A result is delivered: recorded, each file written as a temporary, renamed, all of them renamed, recorded again.
  'delivery.noted',
  'delivery.beside',
  'delivery.replaced',
  'delivery.written',
  'delivery.done',
  'commit.added',
  'commit.made',
  'branch.made',
  // A model call begins; is answered.
  'call.begin',
  'call.answered',
] as const;

export type Failpoint = (typeof FAILPOINTS)[number];

const ACTIONS = ['kill', 'stop', 'enospc', 'eio', 'emfile', 'delay', 'trace'] as const;
type Action = (typeof ACTIONS)[number];

interface Armed {
  /** A failpoint, or a prefix of several with `*`: `write.*`. */
  readonly name: string;
  /** Substring of the subject; empty for any subject. */
  readonly subject: string;
  readonly action: Action;
  /** 1-based hit that fires. */
  readonly count: number;
  /** All later hits fire too, because a full disk stays full. */
  readonly andLater: boolean;
}

const SPECIFICATION = new RegExp(`^([a-z.]*\\*?)(?:@(.+?))?:(${ACTIONS.join('|')})(?::(\\d+)(\\+)?)?$`);
const DELAY_MS = 200;
const MESSAGES = { enospc: 'no space left on device', eio: 'i/o error', emfile: 'too many open files' };

let armed = fromEnvironment(process.env);
let hits = 0;

/**
 * Carries out the action of `RALPH_FAILPOINT=name[@part of the subject]:action[:count[+]]` at its count-th hit
 * (default: the first; `+`: and at all later ones). `kill` and `stop` are sent to this process; `enospc`, `eio` and
 * `emfile` are thrown as the system would; `delay` waits; `trace` appends each hit to the file
 * `RALPH_FAILPOINT_TRACE`. The variable is read once, and only if RALPH_TEST_RUN is 1; otherwise the cost is one
 * comparison.
 */
export function failpoint(name: Failpoint, subject: string | Uint8Array = ''): void {
  if (armed === undefined) return;
  const text = typeof subject === 'string' ? subject : Buffer.from(subject).toString('utf8');
  if (!isMeant(armed, name, text)) return;
  hits += 1;
  const { action, count, andLater } = armed;
  if (action === 'trace') appendFileSync(process.env.RALPH_FAILPOINT_TRACE!, `${name} ${text}\n`);
  else if (hits === count || (andLater && hits > count)) act(action, text);
}

/** Bytes, of `length`, to write before the failpoint `name`: half if it is armed, otherwise all. */
export function bytesBefore(name: Failpoint, length: number): number {
  if (armed === undefined || !isMeant(armed, name, undefined)) return length;
  return Math.ceil(length / 2);
}

/** Replaces the specification in this process, or removes it (undefined), and resets the hits to 0. Only for tests. */
export function armFailpoint(specification: string | undefined): void {
  armed = specification === undefined ? undefined : parse(specification);
  hits = 0;
}

/** Hits since the specification was set. Only for tests. */
export function failpointHits(): number {
  return hits;
}

function fromEnvironment({ RALPH_FAILPOINT, RALPH_TEST_RUN }: NodeJS.ProcessEnv): Armed | undefined {
  return RALPH_TEST_RUN === '1' && RALPH_FAILPOINT !== undefined ? parse(RALPH_FAILPOINT) : undefined;
}

function parse(specification: string): Armed {
  const [, name, subject = '', action, count = '1', plus] = SPECIFICATION.exec(specification) ?? [];
  if (name === undefined || !FAILPOINTS.some((known) => matches(name, known)))
    throw new Error(
      `RALPH_FAILPOINT is ${JSON.stringify(specification)}: there is no such failpoint or action.`,
    );
  return { name, subject, action: action as Action, count: Number(count), andLater: plus === '+' };
}

function isMeant({ name, subject }: Armed, hit: Failpoint, text: string | undefined): boolean {
  return matches(name, hit) && (text === undefined || text.includes(subject));
}

function matches(pattern: string, name: Failpoint): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

function act(action: Exclude<Action, 'trace'>, subject: string): void {
  switch (action) {
    case 'kill':
      process.kill(process.pid, 'SIGKILL');
      return wait(60_000);
    case 'stop':
      process.kill(process.pid, 'SIGSTOP');
      return;
    case 'delay':
      return wait(DELAY_MS);
    default: {
      const code = action.toUpperCase();
      throw Object.assign(new Error(`${code}: ${MESSAGES[action]}, '${subject}'`), { code });
    }
  }
}

/** Blocks the whole process. */
function wait(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
