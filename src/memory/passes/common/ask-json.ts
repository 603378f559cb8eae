import { messageOf } from '../../../errors.ts';
import { memoryRepairPrompt } from '../../../prompts/memory.ts';
import { renderPrompt } from '../../../prompts/render.ts';
import type { EverySchema, Usage } from '../../../schema/generated.ts';
import { answerShape } from '../../../schema/model-shape.ts';
import { NO_USAGE, sumUsage } from '../../../schema/usage.ts';
import { renderProblems, validate, type SchemaName } from '../../../schema/validate.ts';
import { findAnswer } from '../../../platform/text/json-answer.ts';
import type { AskModel, AskReply } from './ask.ts';

/** `schemas/<name>.schema.json` of an answer. */
export type AnswerName = SchemaName & `${string}-answer`;
export type AnswerOf<N extends AnswerName> = EverySchema[`${N}.schema.json`];

export interface Question<N extends AnswerName> {
  /** The schema that the answer is checked by. */
  readonly answer: N;
  readonly system: string;
  readonly prompt: string;
  /** Fields of the answer; an object with none of them is no answer, but for `{}`. */
  readonly keys: readonly string[];
  /** For both rounds together. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Absolute path of the repository whose own templates are used, where it has some. */
  readonly repository?: string | undefined;
}

/** A checked answer; or why there is none, with the last text that came, where one came. */
export type Asked<T> =
  | { readonly ok: true; readonly value: T; readonly usage: Usage }
  | { readonly ok: false; readonly reason: string; readonly text?: string; readonly usage: Usage };

/** A pass's question waits no longer than this for both rounds. */
export const PASS_TIMEOUT_MS = 60_000;
const TIMED_OUT = 'timed out';

/**
 * Asks for one JSON object; an answer that breaks the schema is sent back once. Never rejects and never outlives
 * its time, not even where the model does not look at the signal.
 */
export async function askForJson<N extends AnswerName>(
  ask: AskModel,
  question: Question<N>,
): Promise<Asked<AnswerOf<N>>> {
  const usages: Usage[] = [];
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(TIMED_OUT), question.timeoutMs);
  const signals = [deadline.signal, ...(question.signal === undefined ? [] : [question.signal])];
  const signal = AbortSignal.any(signals);
  const once = async (prompt: string): Promise<AskReply> => {
    const request = { system: question.system, prompt, answerSchema: answerShape(question.answer), signal };
    const reply = await untilAborted(ask(request), signal);
    if (reply.usage !== undefined) usages.push(reply.usage);
    return reply;
  };
  const failed = (reason: string, text?: string): Asked<AnswerOf<N>> => ({
    ...{ ok: false, reason, usage: sumUsage([NO_USAGE, ...usages]) },
    ...(text !== undefined && { text }),
  });
  try {
    const first = await once(question.prompt);
    if ('failed' in first) return failed(first.failed);
    const read = readAnswer(question, first.text);
    if (read.ok) return { ...read, usage: sumUsage(usages) };
    const again = memoryRepairPrompt({
      question: question.prompt,
      answer: first.text,
      reasons: [read.reason],
    });
    const second = await once(renderPrompt('memory-repair', again, question.repository));
    if ('failed' in second) return failed(second.failed, first.text);
    const mended = readAnswer(question, second.text);
    return mended.ok ? { ...mended, usage: sumUsage(usages) } : failed(mended.reason, second.text);
  } catch (error) {
    return failed(messageOf(error));
  } finally {
    clearTimeout(timer);
  }
}

function readAnswer<N extends AnswerName>(
  { answer, keys }: Question<N>,
  text: string,
): { readonly ok: true; readonly value: AnswerOf<N> } | { readonly ok: false; readonly reason: string } {
  const found = isEmptyObject(text) ? {} : findAnswer(text, keys);
  if (typeof found === 'string') return { ok: false, reason: found };
  const checked = validate(answer, found);
  return checked.ok
    ? { ok: true, value: checked.value as AnswerOf<N> }
    : { ok: false, reason: renderProblems(checked.problems) };
}

function isEmptyObject(text: string): boolean {
  return /^(```\w*\s*)?\{\s*\}(\s*```)?$/.test(text.trim());
}

/** What is awaited, or a failure as soon as the signal is aborted. */
function untilAborted(reply: Promise<AskReply>, signal: AbortSignal): Promise<AskReply> {
  const stopped = (): AskReply => ({
    failed:
      signal.reason === TIMED_OUT
        ? 'The model did not answer in time.'
        : 'It was stopped before the model answered.',
  });
  if (signal.aborted) return Promise.resolve(stopped());
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(stopped());
    signal.addEventListener('abort', onAbort, { once: true });
    reply.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
