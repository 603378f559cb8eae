import { messageOf, RalphError } from '../../errors.ts';
import type { RunEvent } from '../../events.ts';
import type { HookAnswer, HookCall } from '../../gate/dialects/dialect.ts';
import { DIALECTS, type HookName } from '../../gate/dialects/index.ts';
import { BY_HAND, findSessionRoot } from '../../gate/session-store.ts';
import { printable } from '../../platform/text/printable.ts';
import { redact } from '../../platform/redaction/redact.ts';
import { refusedBySystem } from '../../platform/files/file-errors.ts';
import { listenForInterrupts } from '../interrupt.ts';

/** A call of a hook, as the gate needs it. */
export interface HookContext {
  readonly call: HookCall;
  /** The whole standard input. */
  readonly input: string;
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
}

/** Longer input is not a payload. */
const MAX_INPUT_BYTES = 32 * 1024 * 1024;

/**
 * Answers a hook in the format of its agent. A payload that cannot be read, or an error of ralph, never holds an agent: the
 * answer says what is missing. Within an attempt of ralph's own loop the hook does nothing, because the loop judges it.
 */
export async function answerHook(
  name: HookName,
  answer: (context: HookContext) => Promise<HookAnswer>,
): Promise<void> {
  const dialect = DIALECTS[name];
  const input = await readInput();
  const isInLoop =
    process.env['RALPH_PROCESS_TAG'] !== undefined || process.env['RALPH_LOOP_ID'] !== undefined;
  if (isInLoop && !isWatched(name, input)) return print(dialect.passed());
  const warnings: string[] = [];
  const interruption = listenForInterrupts((text) => warnings.push(text), 1);
  try {
    const call = readCall(name, input);
    if (isInLoop) warnings.push(NO_LOOP);
    const emit = (event: RunEvent): void => {
      if (event.type === 'warning') warnings.push(event.text);
    };
    print(await answer({ call, input: input ?? '', signal: interruption.signal, emit }));
  } catch (error) {
    print(dialect.failed(describe(error)));
  } finally {
    interruption.close();
    for (const text of warnings) process.stderr.write(`ralph gate: ${printable(redact(text))}\n`);
  }
}

const NO_LOOP =
  'RALPH_LOOP_ID or RALPH_PROCESS_TAG is set, as within a loop of ralph. The session was started outside of one, so it is judged.';

/** Whether the session was started, as none is within a loop: an agent can write the variables of a loop into its own settings. */
function isWatched(name: HookName, input: string | undefined): boolean {
  try {
    const { session, cwd = process.cwd() } = DIALECTS[name].read(input ?? '', process.env);
    return session !== undefined && session !== BY_HAND && findSessionRoot(session, { cwd }) !== undefined;
  } catch {
    return false;
  }
}

function readCall(name: HookName, input: string | undefined): HookCall {
  try {
    if (input === undefined) throw new Error('it has more than 32 MiB');
    return DIALECTS[name].read(input, process.env);
  } catch (error) {
    throw new Error(
      `the payload of --hook ${name} on standard input cannot be used: ${messageOf(error)}. The hooks of the agent call ralph gate themselves; by hand, leave --hook out.`,
      { cause: error },
    );
  }
}

function describe(error: unknown): string {
  const known = error instanceof RalphError ? error : refusedBySystem(error);
  const hint = known?.hint === undefined ? '' : `\n${known.hint}`;
  return `ralph gate: nothing was judged: ${messageOf(known ?? error)}${hint}`;
}

function print({ stdout = '', stderr = '', exitCode }: HookAnswer): void {
  process.stdout.write(redact(stdout));
  process.stderr.write(printable(redact(stderr)));
  process.exitCode = exitCode;
}

/** The whole standard input; undefined if it is longer than a payload can be. */
async function readInput(): Promise<string | undefined> {
  if (process.stdin.isTTY) return '';
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_INPUT_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
