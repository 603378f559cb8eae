import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ExitCode, RalphError } from '../../../src/errors.ts';
import type { WorkEvent } from '../../../src/events.ts';
import type { ReplyEnding } from '../../../src/agents/llm/client.ts';
import type { ReflectionInput, ReflectorOutput } from '../../../src/ports/reflection.ts';
import { reflectionShape } from '../../../src/agents/reflectors/llm-schema.ts';
import { createLlmReflector } from '../../../src/agents/reflectors/llm.ts';
import { reflectByRules } from '../../../src/agents/reflectors/rules.ts';
import type { SelfReflection } from '../../../src/schema/generated.ts';
import { validate } from '../../../src/schema/validate.ts';
import { temporaryFolder } from '../../support/repositories.ts';
import {
  SCRIPTED_USAGE,
  scriptedModel,
  type ScriptedModel,
  type ScriptedReply,
} from '../../support/scripted-model.ts';
import { failure, firstLoop, inputOf, remembered } from './scenario.ts';

const root = temporaryFolder();
mkdirSync(join(root, 'src'));
writeFileSync(join(root, 'src/range.ts'), `${'\n'.repeat(11)}while (i <= end - 1) {\n`);

const GOOD: SelfReflection = {
  reflection_text:
    'In attempt 1 I turned `i < end` into `i <= end - 1` in src/range.ts:12.\nBoth stop before the end, so "includes the end" still receives 3 for 4.\nIn my next attempt I will write `i <= end` there.',
  credit_assignment: {
    failing_action_indices: [0],
    root_cause: 'The bound at src/range.ts:12 still excludes the end.',
    failure_category: 'edge_case_miss',
  },
  causal_reasoning: 'For whole numbers `i <= end - 1` and `i < end` hold for the same i.',
  actionable_insights: ['Write `i <= end` at src/range.ts:12.'],
  lessons_learned: ['range in src/range.ts includes its end.'],
  confidence: 0.9,
  related_reflections: [],
};
/** What is stored for it: the checked facts of the attempt, and what the model guesses and plans. */
const STORED: SelfReflection = {
  ...GOOD,
  reflection_text: [
    'In attempt 1 I changed `while (i < end) {` to `while (i <= end - 1) {` at src/range.ts:12.',
    'The reward stayed at 0.500. Fixed: the test "range > includes the end" at test/range.test.ts:8. New: the test "range > includes the end" at test/range.test.ts:8.',
    'The test "range > includes the end" at test/range.test.ts:8 expected 4 but received 3.',
    'Not checked: is it so that the bound at src/range.ts:12 still excludes the end?',
    'Not checked: In my next attempt I will write `i <= end` at src/range.ts:12.',
  ].join('\n'),
  credit_assignment: {
    ...GOOD.credit_assignment,
    root_cause:
      'The cause is not known. Seen: The test "range > includes the end" at test/range.test.ts:8 expected 4 but received 3. Not checked: is it so that the bound at src/range.ts:12 still excludes the end?',
  },
  causal_reasoning:
    "Action [0] edited files; after the attempt there was a new failure. Not checked: is it so that for whole numbers `i <= end - 1` and `i < end` hold for the same i? Of the model's advice 1 lesson is left out.",
  lessons_learned: [],
};
const WEAK: SelfReflection = {
  ...GOOD,
  reflection_text:
    'The implementation was not right because there was a test that did not pass in the end, and so I failed at it.',
  actionable_insights: ['Be more careful'],
};
const bare = inputOf({ after: [failure({ expected: '4', received: '3' })] });
const input = { ...bare, loop: firstLoop(root, bare) };

interface Outcome extends ReflectorOutput {
  readonly model: ScriptedModel;
  readonly warnings: string[];
}

async function outcomeOf(script: readonly ScriptedReply[], given: ReflectionInput = input): Promise<Outcome> {
  const model = scriptedModel(script);
  const events: WorkEvent[] = [];
  const onWork = (event: WorkEvent): void => void events.push(event);
  const output = await createLlmReflector({ client: model }).reflect({ ...given, onWork });
  const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.text] : []));
  return { ...output, model, warnings };
}

const answer = (change: object = {}): string => JSON.stringify({ ...GOOD, ...change });
const usageOf = (calls: number): object => ({
  input_tokens: calls * SCRIPTED_USAGE.input_tokens,
  output_tokens: calls * SCRIPTED_USAGE.output_tokens,
  cached_input_tokens: 0,
  cost_usd: calls * SCRIPTED_USAGE.cost_usd,
});
const byModel = (calls: number): object => ({
  name: 'llm',
  fallback: false,
  model: 'scripted/model',
  usage: usageOf(calls),
});

function expectRules({ reflection, reflector }: Outcome, calls: number, given = input): void {
  expect(reflection).toEqual(reflectByRules(given));
  expect(reflector).toMatchObject({
    name: 'rules',
    fallback: true,
    model: 'scripted/model',
    usage: usageOf(calls),
  });
  expect(validate('reflection', { ...remembered(given, reflection), reflector })).toMatchObject({ ok: true });
}

describe('the llm reflector', () => {
  it('returns a good first answer, with the usage of its one call', async () => {
    const { reflection, reflector, model, warnings } = await outcomeOf([answer()]);
    expect(reflection).toEqual(STORED);
    expect(reflector).toEqual(byModel(1));
    expect(model.asked).toHaveLength(1);
    expect(warnings).toEqual([]);
    expect(validate('reflection', { ...remembered(input, reflection), reflector })).toMatchObject({
      ok: true,
    });
  });

  it('asks once, without tools, with the answer schema and the signal of the loop', async () => {
    const { model } = await outcomeOf([answer()]);
    expect(model.asked[0]).toMatchObject({ maxSteps: 1, answerSchema: reflectionShape() });
    expect(model.asked[0]!.tools).toBeUndefined();
    expect(model.asked[0]!.signal).toBe(input.signal);
  });

  it('sends an answer that does not match the schema back once, with path and message', async () => {
    const broken = answer({ confidence: 'high', title: 'Range' });
    const { reflection, reflector, model } = await outcomeOf([broken, answer()]);
    expect(reflection).toEqual(STORED);
    expect(reflector).toEqual(byModel(2));
    const [first, second] = model.asked.map(({ prompt }) => prompt);
    expect(second!.startsWith(first!)).toBe(true);
    expect(second).toContain('- /confidence must be number.');
    expect(second).toContain('- The object must NOT have additional properties: "title".');
    expect(second).toContain(broken);
  });

  it('stores at most 20 reasons', async () => {
    const many = (prefix: string): string =>
      answer(
        Object.fromEntries(
          Array.from({ length: 30 }, (_, index) => [`${prefix}${index}${'x'.repeat(900)}`, 1]),
        ),
      );
    const outcome = await outcomeOf([many('a'), many('b')]);
    expectRules(outcome, 2);
    expect(outcome.reflector.refused).toHaveLength(20);
    expect(outcome.model.asked[1]!.prompt.length).toBeLessThan(20_000);
  });

  it('names the allowed values of a field', async () => {
    const credit = { ...GOOD.credit_assignment, failure_category: 'off_by_one' };
    const { model } = await outcomeOf([answer({ credit_assignment: credit }), answer()]);
    expect(model.asked[1]!.prompt).toMatch(
      /failure_category must be equal to one of .*: hallucination, .*logic_error/,
    );
  });

  it('falls back to the rules if the answer does not match the schema twice', async () => {
    const outcome = await outcomeOf([answer({ confidence: 2 }), 'I am sorry, I cannot.', answer()]);
    expectRules(outcome, 2);
    expect(outcome.reflector.refused).toEqual([
      '/confidence must be <= 1.',
      'The reply holds no JSON object of the kind that was asked for.',
    ]);
    expect(outcome.model.asked).toHaveLength(2);
  });

  it('sends a weak answer back once, with the reasons', async () => {
    const { reflection, reflector, model } = await outcomeOf([JSON.stringify(WEAK), answer()]);
    expect(reflection).toEqual(STORED);
    expect(reflector).toEqual(byModel(2));
    expect(model.asked[1]!.prompt).toContain('- This fits any failure: "Be more careful"');
    expect(model.asked[1]!.prompt).toContain('some of its content is untrue, forbidden or too weak');
  });

  it('falls back to the rules if the answer is weak twice, and stores the reasons', async () => {
    const outcome = await outcomeOf([JSON.stringify(WEAK), JSON.stringify(WEAK), answer()]);
    expectRules(outcome, 2);
    expect(outcome.reflector.refused).toEqual([
      'No insight names a place, a value or a step to act on.',
      'This fits any failure: "Be more careful"',
    ]);
    expect(outcome.warnings).toEqual([
      expect.stringMatching(/rules reflector wrote this .*scripted\/model.*Be more careful/),
    ]);
  });

  it.each([
    ['broken, then weak', [answer({ confidence: 2 }), JSON.stringify(WEAK)]],
    ['weak, then broken', [JSON.stringify(WEAK), '{']],
  ])('makes at most three calls: %s', async (_, first) => {
    const taken = await outcomeOf([...first, answer()]);
    expect(taken.reflector).toEqual(byModel(3));
    const refused = await outcomeOf([...first, answer({ confidence: 2 }), answer()]);
    expectRules(refused, 3);
    expect(refused.model.asked).toHaveLength(3);
  });

  it('rejects a repetition of a reflection in the window', async () => {
    const before = remembered(inputOf({ iteration: 1 }), GOOD);
    const given = { ...inputOf({ iteration: 2, window: [before] }), loop: input.loop };
    const { reflector, reflection, model } = await outcomeOf([answer(), answer()], given);
    expect(reflector.refused).toEqual(['The text repeats the reflection of iteration 0.']);
    expect(reflection).toEqual(reflectByRules(given));
    expect(model.asked[1]!.prompt).toContain('- The text repeats the reflection of iteration 0.');
    const other =
      'In attempt 2 I left src/range.ts:12 as it was and changed only its name, so 3 is received for 4 as before it.';
    expect((await outcomeOf([answer({ reflection_text: other })], given)).reflector).toEqual(byModel(1));
  });

  it('accepts low confidence only if the reward improved', async () => {
    const doubt = answer({ confidence: 0.4 });
    expectRules(await outcomeOf([doubt, doubt]), 2);
    const improved = { ...inputOf({ rewards: [0.5, 0.75] }), loop: input.loop };
    expect((await outcomeOf([doubt], improved)).reflector).toEqual(byModel(1));
  });

  const endings: [ReplyEnding, string][] = [
    ['refused', 'The provider’s filter refused it.'],
    ['length', 'Cut off at 4096 tokens.'],
    ['failed', '529 overloaded.'],
    ['budget', 'The next call would cost more than is left.'],
    ['aborted', 'Stopped.'],
    ['steps', ''],
    ['stuck', ''],
  ];
  it.each(endings)(
    'falls back to the rules if the first reply ends as %s, even with a good text',
    async (ending, detail) => {
      const outcome = await outcomeOf([{ text: answer(), ending, detail }, answer()]);
      expectRules(outcome, 1);
      expect(outcome.model.asked).toHaveLength(1);
      expect(outcome.reflector.refused).toEqual([expect.stringContaining(ending)]);
      expect(outcome.reflector.refused![0]).toContain(detail);
    },
  );

  it('sums the usage of all calls, also if a later one fails', async () => {
    const unknown = { ...SCRIPTED_USAGE, cost_usd: null };
    const failed = { ending: 'failed', detail: 'Reset.', usage: unknown } as const;
    const { reflector } = await outcomeOf([JSON.stringify(WEAK), failed]);
    expect(reflector.usage).toEqual({ ...usageOf(2), cost_usd: null });
    expect(reflector.refused).toContain('failed: Reset.');
  });

  it('falls back to the rules if the model cannot be used, and stores the usage so far', async () => {
    const noKey = new RalphError('ANTHROPIC_API_KEY is not set.', {
      code: 'usage',
      exitCode: ExitCode.usage,
    });
    const outcome = await outcomeOf([noKey]);
    expectRules(outcome, 0);
    expect(outcome.reflector.refused).toEqual(['ANTHROPIC_API_KEY is not set.']);
    expectRules(await outcomeOf([JSON.stringify(WEAK), noKey]), 1);
  });

  it('makes no call after the loop was stopped', async () => {
    const before = await outcomeOf([answer()], { ...input, signal: AbortSignal.abort() });
    expectRules(before, 0);
    expect(before.model.asked).toHaveLength(0);
    expect(before.warnings).toEqual([]);
    const controller = new AbortController();
    const stopping = (): object => {
      controller.abort();
      return { text: JSON.stringify(WEAK) };
    };
    const between = await outcomeOf([stopping, answer()], { ...input, signal: controller.signal });
    expectRules(between, 1);
    expect(between.model.asked).toHaveLength(1);
  });

  it('uses the templates of the repository, and falls back to the rules if one is broken', async () => {
    const repository = temporaryFolder();
    const folder = join(repository, '.aiwg/ralph/prompts');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'reflect.hbs'), 'Reflect on: {{task.text}}');
    const model = scriptedModel([answer()]);
    await createLlmReflector({ client: model, repository }).reflect(input);
    expect(model.asked[0]!.prompt).toBe('Reflect on: Make the tests pass');
    writeFileSync(join(folder, 'reflect.hbs'), '{{tsak}}');
    const { reflector } = await createLlmReflector({ client: model, repository }).reflect(input);
    expect(reflector).toMatchObject({
      name: 'rules',
      fallback: true,
      refused: [expect.stringContaining('tsak')],
    });
  });
});

describe('the prompt of the llm reflector', () => {
  it('has the same system prompt for every input', async () => {
    const one = await outcomeOf([answer()]);
    const other = await outcomeOf(
      [answer()],
      inputOf({ iteration: 4, edits: { 'lib/other.ts': ['a', 'b'] } }),
    );
    expect(one.model.asked[0]!.system).toBe(other.model.asked[0]!.system);
    expect(one.model.asked[0]!.prompt).not.toBe(other.model.asked[0]!.prompt);
  });

  it('is the same for the same input', async () => {
    const [one, other] = [await outcomeOf([answer()]), await outcomeOf([answer()])];
    expect(one.model.asked[0]!.prompt).toBe(other.model.asked[0]!.prompt);
  });

  it.each(['x', '\u001b', '語', '😀', '`', '\n', '\ud800'])(
    'is at most 24 KiB for any attempt and answer, of %j',
    async (letter) => {
      const given = monster(letter);
      const broken = { text: `{"reflection_text": "${letter.repeat(50_000)}", "${letter.repeat(3000)}": 1}` };
      const weak = { text: JSON.stringify({ ...WEAK, causal_reasoning: letter.repeat(20_000) }) };
      const { model } = await outcomeOf([broken, weak, answer()], given);
      const sizes = model.asked.map(({ prompt }) => Buffer.byteLength(prompt));
      expect(sizes.length).toBeGreaterThan(1);
      expect(sizes[0]).toBeLessThan(20 * 1024);
      expect(Math.max(...sizes)).toBeLessThan(24 * 1024);
      expect(model.asked.every(({ prompt }) => prompt.isWellFormed())).toBe(true);
    },
  );
});

/** An attempt whose every part is as large as the schema allows, or larger. */
function monster(letter: string): ReflectionInput {
  const huge = letter.repeat(20_000);
  const many = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index));
  const failures = (prefix: string) =>
    many(500, (index) =>
      failure({
        fingerprint: `${prefix}${index}`,
        ...{
          message: `${prefix}${index}${huge.slice(0, 2000)}`,
          rule: `${prefix}${index}${huge.slice(0, 1000)}`,
        },
        ...{
          file: `src/${index}${huge.slice(0, 1000)}`,
          expected: huge.slice(0, 1000),
          received: huge.slice(0, 1000),
        },
        frames: many(50, (line) => ({
          file: huge.slice(0, 1000),
          line: line + 1,
          function: huge.slice(0, 500),
        })),
      }),
    );
  const file = (index: number): string => `src/file-${index}.ts`;
  const window = many(10, (index) => {
    const reflection = {
      ...GOOD,
      reflection_text: huge.slice(0, 8000),
      actionable_insights: many(20, () => huge.slice(0, 1000)),
    };
    return remembered(inputOf({ iteration: index + 1 }), reflection);
  });
  const given = inputOf({
    ...{ iteration: 11, window, before: failures('a'), after: failures('b') },
    edits: Object.fromEntries(many(300, (index) => [file(index), [huge, huge]])),
    actions: many(2000, (index) => ({
      ...{
        type: 'code_modification',
        description: huge.slice(0, 2000),
        file_path: file(index),
        command: huge,
      },
      changes: { additions: 1, deletions: 1, diff: huge },
    })),
    trajectory: {
      ...{ rationale: huge.slice(0, 8000), strategy: huge.slice(0, 2000), message: huge.slice(0, 8000) },
      ruled_out: { tried: 1e6, edits: [], nearest: huge.slice(0, 1000) },
    },
    checks: many(50, (index) => ({
      name: `${index}${huge}`,
      detail: huge,
      command: huge,
      output: huge,
      status: 'error',
    })),
    tampering: many(100, () => ({ kind: 'protected_edited', file: huge.slice(0, 4096), detail: huge })),
  });
  return { ...given, task: huge };
}
