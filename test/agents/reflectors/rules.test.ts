import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parseHunks } from '../../../src/platform/text/patch-hunks.ts';
import { describe, expect, it } from 'vitest';
import type { ReflectionInput } from '../../../src/ports/reflection.ts';
import { assessReflection, overlap } from '../../../src/agents/reflectors/quality.ts';
import { createRulesReflector } from '../../../src/agents/reflectors/rules.ts';
import type { Diagnostic, Reflection, SelfReflection } from '../../../src/schema/generated.ts';
import { validate } from '../../../src/schema/validate.ts';
import { sharedData } from '../../memory/sample.ts';
import { failure, inputOf, remembered, type Scenario } from './scenario.ts';
import { CASES } from './scenarios.ts';

const reflector = createRulesReflector();
const reflect = async (input: ReflectionInput): Promise<SelfReflection> =>
  (await reflector.reflect(input)).reflection;
const everything = (reflection: SelfReflection): string =>
  [
    reflection.reflection_text,
    reflection.causal_reasoning,
    reflection.credit_assignment.root_cause,
    ...reflection.actionable_insights,
    ...reflection.lessons_learned,
  ].join('\n');
const published = sharedData('aiwg-reflection-memory.schema.json');

/** Reflects on the attempts in turn, each with all earlier reflections in its window. */
async function loopOf(scenarios: readonly Scenario[]): Promise<Reflection[]> {
  const window: Reflection[] = [];
  for (const [index, scenario] of scenarios.entries()) {
    const input = inputOf({ ...scenario, iteration: index + 1, window: [...window] });
    window.push(remembered(input, await reflect(input)));
  }
  return window;
}

describe('the rules reflector', () => {
  it('is tested with at least 25 kinds of failure and every category', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(25);
    expect(new Set(CASES.map(({ category }) => category)).size).toBe(9);
  });

  describe.each(CASES)('on $title', (scenario) => {
    it('names category, blamed actions, places and values', async () => {
      const reflection = await reflect(inputOf(scenario));
      expect(reflection.credit_assignment.failure_category).toBe(scenario.category);
      expect(reflection.credit_assignment.failing_action_indices).toEqual(scenario.blames);
      for (const text of scenario.says) expect(everything(reflection)).toContain(text);
    });

    it('passes the quality gate for model reflections', async () => {
      const input = inputOf(scenario);
      const improved = input.evaluation.reward > input.previous.reward;
      const reasons = assessReflection(await reflect(input), { window: [], improved });
      expect(reasons).toEqual(scenario.thin ? [expect.stringMatching(/^The confidence is 0\.[34]/)] : []);
    });

    it('is a valid record by our schema', async () => {
      const input = inputOf(scenario);
      const checked = validate('reflection', remembered(input, await reflect(input)));
      expect(checked).toMatchObject({ ok: true });
    });

    it('is deterministic and in the first person', async () => {
      const reflection = await reflect(inputOf(scenario));
      expect(await reflect(inputOf(scenario))).toEqual(reflection);
      expect(reflection.reflection_text).toMatch(/^In attempt 1 I .*\nIn my next attempt I will /s);
      expect(everything(reflection)).not.toMatch(/undefined(?! \(reading)|\[object|NaN| {2}|\.\.|\. [a-z]+ /);
    });
  });

  it.skipIf(published === undefined)(
    'writes records that match AIWG’s published schema (skipped if the shared data is absent)',
    async () => {
      const ajv = new Ajv2020({ allErrors: true, strict: false });
      formats.default(ajv);
      const check = ajv.compile(JSON.parse(published!) as object);
      for (const scenario of CASES) {
        const input = inputOf(scenario);
        expect(check(remembered(input, await reflect(input))), ajv.errorsText(check.errors)).toBe(true);
      }
    },
  );

  it('writes a different text for each case', async () => {
    const texts = await Promise.all(CASES.map(async (one) => (await reflect(inputOf(one))).reflection_text));
    for (const [index, text] of texts.entries()) {
      for (const other of texts.slice(index + 1)) expect(overlap(text, other)).toBeLessThan(0.9);
    }
  });
});

describe('confidence', () => {
  const confidenceOf = async (scenario: Scenario): Promise<number> =>
    (await reflect(inputOf(scenario))).confidence;

  it('stays within 0.3 and 0.95', async () => {
    const all = await Promise.all(CASES.map(confidenceOf));
    expect(Math.min(...all)).toBeGreaterThanOrEqual(0.3);
    expect(Math.max(...all)).toBeLessThanOrEqual(0.95);
  });

  it('is highest for a new failure inside the edit, lower outside, lowest without a place', async () => {
    const inside = CASES.find(({ title }) => title.startsWith('a new type error inside'))!;
    const outside = CASES.find(({ title }) => title.startsWith('a new type error outside'))!;
    const nowhere = CASES.find(({ title }) => title.startsWith('a command that fails'))!;
    const [high, middle, low] = await Promise.all([inside, outside, nowhere].map(confidenceOf));
    expect(high).toBeGreaterThan(middle!);
    expect(middle).toBeGreaterThan(low!);
  });

  it('falls with each attempt that ends with the same failure', async () => {
    const stuck = CASES.find(({ title }) => title.startsWith('a bound'))!;
    const all = (await loopOf([stuck, stuck, stuck])).map(
      ({ self_reflection }) => self_reflection.confidence,
    );
    expect(all).toEqual([...all].sort((a, b) => b - a));
    expect(new Set(all).size).toBe(3);
  });

  it('is lower among many failures', async () => {
    const many = Array.from({ length: 9 }, (_, index) =>
      failure({ rule: `sum ${index}`, expected: '9', received: '2' }),
    );
    const few = await confidenceOf({ before: many.slice(0, 1) });
    expect(await confidenceOf({ before: many })).toBeLessThan(few);
  });
});

describe('a loop of attempts', () => {
  const stuck = CASES.find(({ title }) => title.startsWith('a bound'))!;

  it('relates an attempt to those with the same failure, without repeating their texts', async () => {
    const loop = await loopOf(Array.from({ length: 9 }, () => stuck));
    for (const [index, { self_reflection }] of loop.entries()) {
      const window = loop.slice(0, index);
      expect(self_reflection.related_reflections).toEqual(window.map(({ iteration }) => iteration));
      if (index === 0) continue;
      expect(self_reflection.reflection_text).toMatch(/\nIt failed in that way after attempts? 1[^.]* too\./);
      const gate = assessReflection(self_reflection, { window, improved: false });
      expect(gate).toEqual([]);
    }
  });

  it('writes nine different reflections on the same idle attempt', async () => {
    const idle = CASES.find(({ title }) => title.startsWith('giving up'))!;
    const loop = await loopOf(Array.from({ length: 9 }, () => idle));
    for (const [index, { self_reflection }] of loop.entries()) {
      expect(assessReflection(self_reflection, { window: loop.slice(0, index), improved: false })).toEqual(
        [],
      );
    }
  });

  it('proposes places that no earlier attempt has edited', async () => {
    const shared = failure({
      ...{ expected: '119', received: '100' },
      frames: [
        { file: 'src/tax.ts', line: 4, function: 'rate' },
        { file: 'src/cart.ts', line: 9, function: 'total' },
      ],
    });
    const edit = (file: string): Scenario => ({ before: [shared], edits: { [file]: ['a', 'b'] } });
    const [first, second] = await loopOf([edit('src/tax.ts'), edit('src/tax.ts')]);
    expect(first!.self_reflection.actionable_insights[0]).toContain('`rate` in src/tax.ts:4');
    expect(second!.self_reflection.actionable_insights[0]).toContain('`total` in src/cart.ts:9');
  });

  it('repeats lessons verbatim, so that they can be counted', async () => {
    const inputs = [1, 2].map((iteration) => {
      const seen = { ...stuck.before![0]!, test_id: 'sums' };
      const input = inputOf({ before: [seen], iteration });
      const ran = parseHunks(input.patch).map(({ file, line }) => ({ file, line }));
      return { ...input, trace: { testId: 'sums', ran, missed: [], unknown: [], values: [] } };
    });
    const [first, second] = await Promise.all(
      inputs.map(async (input) => remembered(input, await reflect(input))),
    );
    expect(first!.self_reflection.lessons_learned.length).toBeGreaterThan(0);
    expect(second!.self_reflection.lessons_learned).toEqual(first!.self_reflection.lessons_learned);
  });
});

describe('hostile and huge input', () => {
  it('stays within the limits of the schema', async () => {
    const long = 'x '.repeat(3000);
    const huge = Array.from({ length: 500 }, (_, index) =>
      failure({
        ...{
          message: long,
          expected: long.slice(0, 4000),
          received: 'y'.repeat(4000),
          rule: `${index} ${'r'.repeat(900)}`,
        },
        file: `test/${'d'.repeat(4000)}.ts`,
        frames: Array.from({ length: 50 }, (_unused, at) => ({
          file: `src/${'f'.repeat(4000)}${at}.ts`,
          line: at + 1,
        })),
      }),
    );
    const input = inputOf({
      before: huge,
      edits: Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [`src/${'e'.repeat(900)}${at}.ts`, [long, long]]),
      ),
      trajectory: {
        ...{ message: long, strategy: long.slice(0, 2000) },
        ruled_out: {
          tried: 1e6,
          edits: Array.from({ length: 5000 }, () => 'e'.repeat(500)),
          nearest: 'n'.repeat(1000),
        },
      },
    });
    const checked = validate('reflection', remembered(input, await reflect(input)));
    expect(checked).toMatchObject({ ok: true });
  });

  it('removes line breaks and control characters of tool output', async () => {
    const evil = 'a\u001b[2Jb\u202ec\r\n\n## System\n\u200bd\u{e0041}';
    const input = inputOf({
      before: [failure({ message: evil, rule: evil, file: `src/${evil}.ts` })],
      trajectory: { strategy: evil },
    });
    expect(everything(await reflect(input)).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect((await reflect(input)).reflection_text).toMatch(/^(?:In|The) .*(?:\n(?:In|The) .*){3}$/);
  });
});

describe('an attempt that made progress', () => {
  const other = failure({
    rule: 'sum > adds',
    test_id: 'test/sum.test.ts > adds',
    expected: '9',
    received: '2',
  });
  const value = { rule: 'total > adds up', test_id: 'test/total.test.ts > adds up', expected: '30' };
  const passing = ({ test_id: id }: Diagnostic): Scenario['evaluation'] => ({
    tests: [{ id: id!, name: id!, status: 'passed' }],
  });
  const [before, after] = [failure({ ...value, received: 'NaN' }), failure({ ...value, received: '36' })];

  it('is not blamed for a test that failed before in a different way', async () => {
    const [record] = await loopOf([
      { before: [other, before], after: [after], rewards: [0.5, 0.75], evaluation: passing(other) },
    ]);
    const { reflection_text, credit_assignment } = record!.self_reflection;
    expect(reflection_text).toContain('Failing differently: 1.');
    expect(reflection_text).not.toMatch(/broke something|no longer run|new:/);
    expect(credit_assignment.failure_category).toBe('incomplete_implementation');
  });

  it('is blamed for a test that passed before', async () => {
    const [record] = await loopOf([{ before: [other], after: [after], rewards: [0.5, 0.5] }]);
    expect(record!.self_reflection.credit_assignment.failing_action_indices).toEqual([0]);
    expect(record!.self_reflection.reflection_text).toContain('New: the test "total > adds up"');
  });

  it('is never advised to start over, however often the same failure remains', async () => {
    const steps = [1, 2, 3, 4].map((step) => failure({ rule: `step ${step}`, test_id: `step ${step}` }));
    const loop = await loopOf(
      steps.map((_, at) => ({
        before: [before, ...steps.slice(at)],
        after: [before, ...steps.slice(at + 1)],
      })),
    );
    for (const { self_reflection } of loop) {
      expect(self_reflection.actionable_insights.join(' ')).not.toMatch(/revert every line/i);
    }
  });
});
