/** An attempt that changed no code fixes no test, whatever passes after it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reflectByRules } from '../../../src/agents/reflectors/rules.ts';
import { effectsOf } from '../../../src/memory/lessons/effects.ts';
import type { ReflectionInput } from '../../../src/ports/reflection.ts';
import { lessonClaimsOf } from '../../../src/prompts/lesson-claims.ts';
import type { Lesson } from '../../../src/schema/generated.ts';
import { temporaryFolder } from '../../support/repositories.ts';
import { failure, firstLoop, inputOf } from './scenario.ts';

const late = failure({ test_id: 'late', rule: 'late', fingerprint: 'late' });
const other = failure({ test_id: 'k', rule: 'k', fingerprint: 'k' });

/** An attempt that added one line to a file, after which the test "late" passes. */
function adding(line: string, file = 'src/r.js'): ReflectionInput {
  const root = temporaryFolder();
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, file), `${line}\nexport const k = (n) => n - 1;\n`);
  const patch = [
    ...[`diff --git a/${file} b/${file}`, `--- a/${file}`, `+++ b/${file}`, '@@ -1,1 +1,2 @@'],
    ...[`+${line}`, ' export const k = (n) => n - 1;', ''],
  ].join('\n');
  const input = inputOf({ before: [late, other], after: [other] });
  const tests = ['late', 'k'].map(
    (id) => ({ id, name: id, status: id === 'k' ? 'failed' : 'passed' }) as const,
  );
  const evaluation = { ...input.evaluation, tests, reward: 0.7 };
  const judged = { ...input, patch, evaluation };
  return { ...judged, loop: firstLoop(root, judged) };
}

it.each(['// a note', '/* a note */', ''])('an edit that adds %j is not said to fix a test', (line) => {
  const reflection = reflectByRules({ ...adding(line), fixesSeen: [] });
  expect(reflection.reflection_text).toContain('Passing now, with the code as it was: the test "late"');
  expect(JSON.stringify(reflection)).not.toMatch(/Fixed|fixed/);
  expect(reflection.lessons_learned).toEqual([]);
});

it('an edit of code that the test was seen to run is said to fix it', () => {
  const input = { ...adding('export const one = 1;'), fixesSeen: ['late'] };
  const reflection = reflectByRules(input);
  expect(reflection.reflection_text).toContain('Fixed: the test "late"');
  expect(reflection.lessons_learned[0]).toContain('fixed the test "late"');
  // Not seen to run it: no lesson.
  expect(reflectByRules({ ...input, fixesSeen: [] }).lessons_learned).toEqual([]);
});

it('a comment may fix an error of a tool', () => {
  const lint = failure({
    type: 'lint_error',
    rule: 'capitalized-comments',
    test_id: undefined,
    check: 'lint',
  });
  const input = inputOf({
    ...{ before: [lint], after: [], edits: { 'src/range.ts': ['', '// A note'] } },
    checks: [{ name: 'lint', kind: 'lint', status: 'pass' }],
  });
  expect(lessonClaimsOf({ ...input, fixesSeen: [] })).toHaveLength(1);
  // The words of comments are not told, so that there is nothing to tell of an edit of them alone.
  const worded = inputOf({
    ...{ before: [lint], after: [], edits: { 'src/range.ts': ['// a note', '// A note'] } },
    checks: [{ name: 'lint', kind: 'lint', status: 'pass' }],
  });
  expect(lessonClaimsOf({ ...worded, fixesSeen: [] })).toEqual([]);
});

it('no lesson is refuted or supported by a test that was not seen to run the change', () => {
  const input = adding('export const one = 1;');
  const place = { within: [], above: '', below: 'k', nth: 1, of: 1, repeated: true };
  const [claim] = lessonClaimsOf({ ...input, place, ranBy: 'any' });
  const lesson = { id: 'l', claim, source: { pass: 'reflection' } } as unknown as Lesson;
  const outcome = {
    ...input,
    loopId: 'other',
    changes: { patch: input.patch, place, files: [{ path: 'src/r.js' }] },
  };
  expect(effectsOf(outcome as never, [lesson]).map(({ effect }) => effect)).toEqual(['support']);
  expect(effectsOf({ ...outcome, fixesSeen: [] } as never, [lesson])).toEqual([]);
});

it.each(['// a note', '/* a note */', ''])(
  'an edit that adds %j is not blamed for a test that fails now',
  (line) => {
    const red = adding(line);
    const tests = red.evaluation.tests.map((test) => ({ ...test, status: 'passed' as const }));
    const input = {
      ...red,
      trajectory: {
        ...red.trajectory,
        actions: [{ type: 'code_modification', description: 'Edited.', file_path: 'src/r.js' } as const],
      },
      previous: { ...red.previous, diagnostics: [other], tests },
      evaluation: { ...red.evaluation, diagnostics: [late, other], reward: 0.3 },
    };
    const {
      reflection_text: text,
      credit_assignment: credit,
      causal_reasoning: blame,
    } = reflectByRules(input);
    expect(text).toMatch(/; that changes no code[.;]/);
    expect(text).toContain('Failing now, with the code as it was: the test "late"');
    expect(text).not.toContain('New:');
    expect(credit.failing_action_indices).toEqual([]);
    expect(credit.root_cause).toMatch(/^The cause is not known\./);
    expect(blame).toBe('No action is blamed: the attempt changed no code.');
  },
);

/** An attempt that added a comment, after which "late" passes; `before` and `after`: errors of a linter. */
function commented(before: readonly string[], after: readonly string[]): ReflectionInput {
  const input = adding('// a note');
  const lint = (rule: string) =>
    failure({ type: 'lint_error', rule, fingerprint: rule, test_id: undefined, check: 'lint' });
  const action = { type: 'code_modification', description: 'Edited.', file_path: 'src/r.js' } as const;
  return {
    ...input,
    trajectory: { ...input.trajectory, actions: [action] },
    previous: { ...input.previous, diagnostics: [...input.previous.diagnostics, ...before.map(lint)] },
    evaluation: {
      ...input.evaluation,
      diagnostics: [...input.evaluation.diagnostics, ...after.map(lint)],
      reward: input.previous.reward,
    },
  };
}

it('an edit that changes no code is not blamed where an error of a tool stays', () => {
  const { credit_assignment: credit, causal_reasoning: blame } = reflectByRules(
    commented(['no-var'], ['no-var']),
  );
  expect(credit.failing_action_indices).toEqual([]);
  expect(blame).toBe('No action is blamed: the attempt changed no code.');
});

it('an edit that changes no code is blamed for a new error of a tool', () => {
  const { credit_assignment: credit } = reflectByRules(commented([], ['capitalized-comments']));
  expect(credit.failing_action_indices).toEqual([0]);
});

it('an edit of code is blamed for a test that fails after it', () => {
  const red = adding('export const one = 1;');
  const tests = red.evaluation.tests.map((test) => ({ ...test, status: 'passed' as const }));
  const previous = { ...red.previous, diagnostics: [other], tests };
  const evaluation = { ...red.evaluation, diagnostics: [late, other], reward: 0.3 };
  expect(reflectByRules({ ...red, previous, evaluation }).reflection_text).toContain('New: the test "late"');
});

it('an attempt that changed no code tests no lesson on a test, and any other does', () => {
  const input = adding('export const one = 1;');
  const place = { within: [], above: '', below: 'k', nth: 1, of: 1, repeated: true };
  const [claim] = lessonClaimsOf({ ...input, place, ranBy: 'any' });
  const lesson = {
    id: 'l',
    claim: { ...claim, kind: 'file_decides_failure' },
    source: {},
  } as unknown as Lesson;
  const effects = (delta: object): unknown[] =>
    effectsOf(
      {
        ...input,
        ...{ loopId: 'other', evaluation: { ...input.evaluation, delta } },
        changes: { patch: input.patch, place, files: [{ path: 'src/r.js' }] },
      } as never,
      [lesson],
    );
  expect(effects({ code_as_it_was: true })).toEqual([]);
  expect(effects({})).toHaveLength(1);
});
