import { messageOf } from '../../../errors.ts';
import { memoryRepairPrompt } from '../../../prompts/memory.ts';
import { renderPrompt } from '../../../prompts/render.ts';
import type { EverySchema, Usage } from '../../../schema/generated.ts';
import { answerShape } from '../../../schema/model-shape.ts';
import { NO_USAGE, sumUsage } from '../../../schema/usage.ts';
import { renderProblems, validate, type SchemaName } from '../../../schema/validate.ts';
import { findAnswer } from '../../../platform/text/json-answer.ts';
import type { AskModel, AskReply } from './ask.ts';

/** Name of an answer's schema, `schemas/<name>.schema.json`. */
export type AnswerName = SchemaName & `${string}-answer`;
export type AnswerOf<N extends AnswerName> = EverySchema[`${N}.schema.json`];

export interface Question<N extends AnswerName> {
  /** Schema that the answer must satisfy. */
  readonly answer: N;
  readonly system: string;
  readonly prompt: string;
  /** Fields of the answer; an object with none of them is ignored, except `{}`. */
  readonly keys: readonly string[];
  /** For the question and the repair round together. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Absolute path of the repository whose own prompt templates apply, if any. */
  readonly repository?: string | undefined;
}

/** A valid answer; or why there is none, with the last text of the model if it sent one. */
export type Asked<T> =
  | { readonly ok: true; readonly value: T; readonly usage: Usage }
  | { readonly ok: false; readonly reason: string; readonly text?: string; readonly usage: Usage };

/** Default time limit of a pass's question, repair round included. */
export const PASS_TIMEOUT_MS = 60_000;
const TIMED_OUT = 'timed out';

/**
 * Asks for one JSON object; an invalid answer is sent back once with the problems. Never rejects, and resolves within
 * the time limit even if the model ignores the signal.
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
  const askOnce = async (prompt: string): Promise<AskReply> => {
    const request = { system: question.system, prompt, answerSchema: answerShape(question.answer), signal };
    const reply = await untilAborted(ask(request), signal);
    if (reply.usage !== undefined) usages.push(reply.usage);
    return reply;
  };
  const failed = (reason: string, text?: string): Asked<AnswerOf<N>> => ({
    ok: false,
    reason,
    text,
    usage: sumUsage([NO_USAGE, ...usages]),
  });
  try {
    const first = await askOnce(question.prompt);
    if ('failed' in first) return failed(first.failed);
    const answer = readAnswer(question, first.text);
    if (answer.ok) return { ...answer, usage: sumUsage(usages) };
    const repair = memoryRepairPrompt({
      question: question.prompt,
      answer: first.text,
      reasons: [answer.reason],
    });
    const second = await askOnce(renderPrompt('memory-repair', repair, question.repository));
    if ('failed' in second) return failed(second.failed, first.text);
    const repaired = readAnswer(question, second.text);
    return repaired.ok ? { ...repaired, usage: sumUsage(usages) } : failed(repaired.reason, second.text);
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

/** The reply, or a failure as soon as the signal is aborted. */
function untilAborted(reply: Promise<AskReply>, signal: AbortSignal): Promise<AskReply> {
  const aborted = (): AskReply => ({
    failed:
      signal.reason === TIMED_OUT
        ? 'The model did not answer in time.'
        : 'The question was stopped before the model answered.',
  });
  if (signal.aborted) return Promise.resolve(aborted());
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(aborted());
    signal.addEventListener('abort', onAbort, { once: true });
    reply.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
