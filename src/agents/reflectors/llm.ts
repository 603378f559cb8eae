import { messageOf } from '../../errors.ts';
import type { ModelClient, Reply } from '../llm/client.ts';
import type { Reflector } from '../../ports.ts';
import type { ReflectionInput, ReflectorOutput } from '../../ports/reflection.ts';
import { reflectPrompt, reflectRepairPrompt } from '../../prompts/reflect.ts';
import { renderPrompt } from '../../prompts/render.ts';
import type { SelfReflection, Usage } from '../../schema/generated.ts';
import { sumUsage } from '../../schema/usage.ts';
import { gatherEvidence } from './evidence.ts';
import { judgeReply, type Answer } from './llm-answer.ts';
import { composeReflection } from './model/compose.ts';
import { reflectionShape } from './llm-schema.ts';
import { oneLine } from '../../prompts/phrases.ts';
import { reflectByRules } from './rules.ts';

/** Options of `createLlmReflector`. */
export interface LlmReflectorOptions {
  readonly client: ModelClient;
  /** Absolute path of a repository whose own prompt templates override the shipped ones. */
  readonly repository?: string;
}

/**
 * Creates a reflector that asks a model. An answer that does not match the schema is sent back once, and one that says
 * something untrue or too little once: at most three calls. Of a usable answer the guesses and steps are kept, beside what
 * the record shows. Without one the rules reflect, and the record holds the reasons. Never rejects.
 */
export function createLlmReflector(options: LlmReflectorOptions): Reflector {
  return { reflect: (input) => reflect(options, input) };
}

/** Usage of the calls, and the reasons for which answers were rejected. */
interface Calls {
  readonly usages: Usage[];
  readonly refused: string[];
}

async function reflect(options: LlmReflectorOptions, input: ReflectionInput): Promise<ReflectorOutput> {
  const calls: Calls = { usages: [], refused: [] };
  const reflection = await askModel(options, input, calls).catch((error: unknown) => {
    calls.refused.push(messageOf(error));
    return undefined;
  });
  const asked = { model: options.client.name.slice(0, 300), usage: sumUsage(calls.usages) };
  if (reflection !== undefined) return { reflection, reflector: { name: 'llm', fallback: false, ...asked } };
  const refused = [...new Set(calls.refused.map((reason) => oneLine(reason, 500)))].slice(-20);
  if (!input.signal.aborted) input.onWork({ type: 'warning', text: fallbackWarning(asked.model, refused) });
  return {
    reflection: reflectByRules(input),
    reflector: { name: 'rules', fallback: true, refused, ...asked },
  };
}

async function askModel(
  { client, repository }: LlmReflectorOptions,
  input: ReflectionInput,
  { usages, refused }: Calls,
): Promise<SelfReflection | undefined> {
  const { signal, onWork } = input;
  const system = renderPrompt('reflect-system', {}, repository);
  const question = renderPrompt('reflect', reflectPrompt(gatherEvidence(input)), repository);
  const answerSchema = reflectionShape();
  const retries = new Set<Flaw>(['broken', 'weak']);
  let prompt = question;
  for (;;) {
    if (signal.aborted) return giveUp(refused, 'The loop was stopped before the model answered.');
    const reply = await client.converse({
      system,
      prompt,
      answerSchema,
      maxSteps: 1,
      onlyIfHealthy: true,
      signal,
      onWork,
    });
    usages.push(reply.usage);
    if (reply.ending !== 'stopped') return giveUp(refused, describeEnding(reply));
    const answer = answerIn(reply.text, input);
    if (answer.ok) return answer.reflection;
    refused.push(...answer.reasons);
    if (!retries.delete(answer.flaw)) return undefined;
    const { flaw, reasons } = answer;
    const refusal = { question, answer: reply.text, broken: flaw === 'broken', reasons };
    prompt = renderPrompt('reflect-repair', reflectRepairPrompt(refusal), repository);
  }
}

/** The reflection to store for a reply: what the record shows, and what may be kept of the model's text. */
function answerIn(reply: string, input: ReflectionInput): Answer {
  const answer = judgeReply(reply, input);
  if (!answer.ok) return answer;
  const composed = composeReflection(answer.reflection, input);
  return composed.ok ? composed : { ...composed, flaw: 'weak' };
}

type Flaw = Extract<Answer, { readonly ok: false }>['flaw'];

function giveUp(refused: string[], reason: string): undefined {
  refused.push(reason);
  return undefined;
}

function describeEnding({ ending, detail }: Reply): string {
  return detail === '' ? `The model's answer ended early: ${ending}.` : `${ending}: ${detail}`;
}

function fallbackWarning(model: string, refused: readonly string[]): string {
  return `The rules reflector wrote this reflection because no answer of ${model} was usable. ${refused.at(-1) ?? ''}`.trim();
}
