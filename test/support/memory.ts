/** A coding loop's attempts, and a model that answers by its script, for the passes of long-term memory. */
import { createLessonStore } from '../../src/memory/lessons/store.ts';
import type { LessonCandidate, LessonStore } from '../../src/memory/lessons/contract.ts';
import { commitObservation } from '../../src/memory/passes/observe/pass.ts';
import type { ObservedAttempt } from '../../src/memory/passes/observe/rules.ts';
import type { AskModel, AskReply, AskRequest } from '../../src/memory/passes/common/ask.ts';
import type { Diagnostic, Evaluation, Observation, Trajectory } from '../../src/schema/generated.ts';
import { evaluation, failure, trajectory } from './scripted.ts';

export const ASK_USAGE = { input_tokens: 100, output_tokens: 10, cached_input_tokens: 0, cost_usd: 0.01 };

/** A text, a value that is sent as JSON, a failure, or a promise that may never be kept. */
export type ScriptedAnswer =
  string | object | { readonly failed: string } | ((request: AskRequest) => Promise<AskReply>);

/** A model that answers question by question; one too many is a failure. */
export function scriptedAsk(
  ...script: readonly ScriptedAnswer[]
): AskModel & { readonly asked: AskRequest[] } {
  const asked: AskRequest[] = [];
  const ask: AskModel = (request) => {
    const answer = script[asked.length];
    asked.push(request);
    if (answer === undefined) return Promise.resolve({ failed: 'The script has no more answers.' });
    if (typeof answer === 'function') return answer(request);
    if (typeof answer === 'string') return Promise.resolve({ text: answer, usage: ASK_USAGE });
    if ('failed' in answer) return Promise.resolve(answer as { failed: string });
    return Promise.resolve({ text: JSON.stringify(answer), usage: ASK_USAGE });
  };
  return Object.assign(ask, { asked });
}

/** A model that takes the question and never answers, whatever its signal says. */
export const hungAsk: AskModel = () => new Promise(() => {});

/** A clock that is a minute later each time. */
export function minutes(start = '2026-01-01T00:00:00.000Z'): () => Date {
  let at = Date.parse(start);
  return () => new Date((at += 60_000));
}

/** Sources of a shop, whose names advice can be about. */
export const SHOP = {
  'src/total.js':
    'export function computeTotal(price, count) {\n  const total = price * count;\n  return Math.floor(total);\n}\n',
  'src/cart.js':
    'export function sum(items, shipping) {\n  return items.reduce((all, item) => all + item, 0);\n}\n',
};

export interface AttemptScript {
  readonly loop?: string;
  /** 1-based. */
  readonly iteration?: number;
  readonly task?: string;
  readonly files?: readonly string[];
  /** Numbers of the failures before and after. */
  readonly before?: readonly number[];
  readonly after?: readonly number[];
  /** Of how many tests. */
  readonly total?: number;
  readonly trajectory?: Partial<Trajectory>;
}

/** One attempt in which the failures of these numbers were there before and after. */
export function attempt(script: AttemptScript = {}): ObservedAttempt {
  const { before = [1], after = [1], total = 4 } = script;
  return {
    loopId: script.loop ?? 'ralph-shop-20260101-aaaaaa',
    iteration: script.iteration ?? 1,
    task: script.task ?? 'make the cart tests pass',
    trajectory: { ...trajectory(), ...script.trajectory },
    evaluation: judged(after, total),
    previous: judged(before, total),
    files: script.files ?? ['src/cart.js'],
  };
}

/** An evaluation in which the tests of these numbers fail. */
export function judged(failing: readonly number[], total = 4): Evaluation {
  return evaluation(total - failing.length, total, { diagnostics: failing.map(failingTest) });
}

/** The failure of a test in `test/cart.test.js`. */
export function failingTest(number: number): Diagnostic {
  return {
    ...failure(number),
    message: `expected ${number}0 to be ${number}1`,
    file: 'test/cart.test.js',
    rule: `cart > test ${number}`,
  };
}

/** Commits attempts one after the other, a minute between them. */
export async function commitAll(root: string, scripts: readonly AttemptScript[]): Promise<Observation[]> {
  const now = minutes();
  const observations: Observation[] = [];
  for (const script of scripts) observations.push(await commitObservation(root, attempt(script), { now }));
  return observations;
}

/** `count` attempts of one loop that all fail in the same way. */
export function failingAttempts(count: number, from = 1): AttemptScript[] {
  return Array.from({ length: count }, (_, index) => ({ iteration: from + index }));
}

export function lessonsIn(root: string, now: () => Date = minutes('2025-12-01T00:00:00.000Z')): LessonStore {
  return createLessonStore({ repositoryRoot: root, now });
}

/** A candidate that the user might state. */
export function candidate(text: string, over: Partial<LessonCandidate> = {}): LessonCandidate {
  return {
    text,
    type: 'convention',
    subject: 'project',
    source: { pass: 'reflection', loop_id: 'ralph-shop-20260101-aaaaaa', iteration: 0 },
    evidence: [],
    confidence: 0.6,
    importance: 0.5,
    ...over,
  };
}
