import { describe, expect, it } from 'vitest';
import { judgeReply, type Answer } from '../../../src/agents/reflectors/llm-answer.ts';
import type { SelfReflection } from '../../../src/schema/generated.ts';
import { inputOf } from './scenario.ts';

const GOOD: SelfReflection = {
  reflection_text:
    'In attempt 3 I wrote `{ a: "}" }` into src/a.ts:7, and "keeps braces" still receives {} for it.\nIn my next attempt I will escape them there.',
  credit_assignment: {
    failing_action_indices: [0],
    root_cause: 'src/a.ts:7 does not escape braces.',
    failure_category: 'logic_error',
  },
  causal_reasoning: 'The brace ends the object.',
  actionable_insights: ['Escape `}` at src/a.ts:7.'],
  lessons_learned: [],
  confidence: 0.8,
  related_reflections: [0],
};
const json = JSON.stringify(GOOD, null, 2);
const input = inputOf({ iteration: 3, edits: { 'src/a.ts': ['a', 'b'], 'src/b.ts': ['a', 'b'] } });

const judge = (reply: string): Answer => judgeReply(reply, input);
function taken(change: object): SelfReflection {
  const answer = judge(JSON.stringify({ ...GOOD, ...change }));
  if (!answer.ok) throw new Error(answer.reasons.join(' '));
  return answer.reflection;
}
function reasonsFor(change: object): readonly string[] {
  const answer = judge(JSON.stringify({ ...GOOD, ...change }));
  return answer.ok ? [] : answer.reasons;
}

describe('judgeReply', () => {
  const wrapped: [string, string][] = [
    ['bare', json],
    ['on one line', JSON.stringify(GOOD)],
    ['in a fence', `\`\`\`json\n${json}\n\`\`\``],
    [
      'in a fence without a language, between prose',
      `Here it is:\n\n\`\`\`\n${json}\n\`\`\`\nI hope that it {helps}.`,
    ],
    ['after prose with braces', `I looked at {start} and { "this. The object:\n${json}`],
    ['after a draft', `${json.replace('0.8', '0.1')}\nNo, rather:\n${json}`],
    ['after thoughts', `<think>{"reflection_text": "no"}, or {"a": 1}?</think>${json}`],
    ['in another object', `{"self_reflection": ${json}}`],
    ['in a list', `[${json}]`],
    ['with a byte order mark', `\ufeff${json}\r\n`],
  ];
  it.each(wrapped)('finds a reflection %s', (_, reply) => {
    expect(judge(reply)).toEqual({ ok: true, reflection: GOOD });
  });

  it('does not search for a reflection inside the reflection', () => {
    const text = `${GOOD.reflection_text} ${JSON.stringify({ reflection_text: 'x', confidence: 9 })}`;
    expect(taken({ reflection_text: text }).reflection_text).toBe(text);
    expect(reasonsFor({ credit_assignment: { ...GOOD.credit_assignment, confidence: 1 } })).toEqual([
      '/credit_assignment must NOT have additional properties: "confidence".',
    ]);
  });

  const missing: [string, string, RegExp][] = [
    ['nothing', '', /^The reply holds no JSON object of the kind/],
    ['prose', 'I am sorry.', /^The reply holds no JSON object of the kind/],
    ['another object', '{"status": "ok"}', /^The reply holds no JSON object of the kind/],
    ['an object that is cut off', json.slice(0, -40), /does not end/],
    [
      'a superfluous comma',
      json.replace('0.8,', '0.8,,'),
      /^The reply is no JSON that can be read: .*JSON at position/,
    ],
    [
      'a line break in a text',
      json.replace('In attempt', '\nIn attempt'),
      /^The reply is no JSON that can be read/,
    ],
    ['a reply above the size limit', 'x'.repeat(300_000), /^The reply has 300000 characters/],
    ['unclosed braces', '{"'.repeat(90_000), /does not end/],
  ];
  it.each(missing)('rejects %s with a reason', (_, reply, expected) => {
    expect(judge(reply)).toEqual({
      ok: false,
      flaw: 'broken',
      reasons: [expect.stringMatching(expected)],
    });
  });

  it('rejects deeply nested lists', () => {
    const depth = 60_000;
    const reply = json.replace('[]', `${'['.repeat(depth)}${']'.repeat(depth)}`);
    expect(judge(reply)).toMatchObject({ flaw: 'broken', reasons: [expect.stringMatching(/./)] });
  });

  it('reports every problem with its path', () => {
    expect(
      reasonsFor({ confidence: '0.8', lessons_learned: 'none', reflection_text: 'short', note: 1 }),
    ).toEqual([
      'The object must NOT have additional properties: "note".',
      '/reflection_text must NOT have fewer than 100 characters.',
      '/lessons_learned must be array.',
      '/confidence must be number.',
    ]);
  });

  it.each([[1.01], [-0.1], [null], ['0.9']])(
    'rejects a confidence of %j instead of clamping it',
    (confidence) => {
      expect(reasonsFor({ confidence })).toEqual([expect.stringMatching(/^\/confidence must be/)]);
    },
  );

  it('drops unknown and duplicate action and attempt numbers', () => {
    const credit = { ...GOOD.credit_assignment, failing_action_indices: [1, 2, 0, -1, 99, 1] };
    const reflection = taken({ credit_assignment: credit, related_reflections: [2, 1, 7, 0, 1, -3] });
    expect(reflection.credit_assignment.failing_action_indices).toEqual([1, 0]);
    expect(reflection.related_reflections).toEqual([1, 0]);
  });

  it('rejects action and attempt numbers that are not integers', () => {
    const credit = { ...GOOD.credit_assignment, failing_action_indices: [0, 'one', 1.5] };
    expect(reasonsFor({ credit_assignment: credit, related_reflections: 'all' })).toEqual([
      '/credit_assignment/failing_action_indices/1 must be integer.',
      '/credit_assignment/failing_action_indices/2 must be integer.',
      '/related_reflections must be array.',
    ]);
    expect(reasonsFor({ credit_assignment: null })).toEqual(['/credit_assignment must be object.']);
  });

  it('cuts texts that are too long, and marks the cut', () => {
    const long = `src/a.ts:7 ${'is wrong '.repeat(2000)}and this is its end.`;
    const { reflection_text, actionable_insights, credit_assignment } = taken({
      reflection_text: long,
      actionable_insights: Array.from({ length: 30 }, (_, index) => `${index} ${long.slice(0, 3000)}`),
      credit_assignment: { ...GOOD.credit_assignment, root_cause: '😀'.repeat(3000) },
    });
    expect(reflection_text.length).toBeLessThanOrEqual(8000);
    expect(reflection_text).toMatch(/^src\/a\.ts:7 .* \[… \d+ characters left out …\] .* its end\.$/);
    expect(actionable_insights).toHaveLength(20);
    expect(Math.max(...actionable_insights.map((text) => text.length))).toBeLessThanOrEqual(1000);
    expect(credit_assignment.root_cause.isWellFormed()).toBe(true);
  });

  it('removes terminal escapes, control characters, format characters and line breaks', () => {
    const evil =
      'At src/a.ts:7\u001b[2J\u001b]8;;http://x\u0007 I\r\n\n# Task\n\u202ewrote\u200b a\u0000b\ud800, and it is the same as it was before this attempt began to run.';
    const { reflection_text, lessons_learned } = taken({
      reflection_text: evil.repeat(2),
      lessons_learned: [evil],
    });
    for (const text of [reflection_text, ...lessons_learned]) {
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
      expect(text).not.toContain('[2J');
      expect(text.isWellFormed()).toBe(true);
    }
    expect(lessons_learned[0]).toMatch(/^At src\/a\.ts:7 I # Task wrote a b/);
  });

  it('is weak if the quality gate rejects it', () => {
    const answer = judge(JSON.stringify({ ...GOOD, actionable_insights: ['Fix the bug.'] }));
    expect(answer).toMatchObject({
      ok: false,
      flaw: 'weak',
      reasons: expect.arrayContaining(['This fits any failure: "Fix the bug."']) as unknown,
    });
  });

  it('is weak if it blames only unknown actions and names no concrete cause', () => {
    const credit = { ...GOOD.credit_assignment, failing_action_indices: [12], root_cause: 'Something else' };
    expect(reasonsFor({ credit_assignment: credit })).toEqual([expect.stringMatching(/^No action is named/)]);
  });
});
