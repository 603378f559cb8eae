import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gatherEvidence } from '../../../../src/agents/reflectors/evidence.ts';
import {
  wrongInitialKind,
  wrongKey,
  wrongParameters,
} from '../../../../src/agents/reflectors/model/line-contradictions.ts';
import { stepProblem } from '../../../../src/agents/reflectors/model/step-problem.ts';
import { reflectByRules } from '../../../../src/agents/reflectors/rules.ts';
import { temporaryFolder } from '../../../support/repositories.ts';
import { failure, firstLoop, inputOf, remembered } from '../scenario.ts';

const root = temporaryFolder();
mkdirSync(join(root, 'src'));
writeFileSync(
  join(root, 'src/sum.js'),
  [
    "import { rate } from './rate.js';",
    'export function sum(list) {',
    ...Array.from({ length: 9 }, () => '  // a line'),
    '  return net * rate(list);',
    '}',
  ].join('\n'),
);

const failing = failure({ test_id: 'sums', rule: 'sums', expected: '1740', received: '1502' });
const edits = { 'src/sum.js': ['  return net - rate(list);', '  return net * rate(list);'] as const };
const given = inputOf({ before: [failing], edits, rewards: [0.5, 0.5] });
const first = firstLoop(root, given);
/** An attempt that is rolled back, and one that is kept, whose edit fixed another test. */
const undone = gatherEvidence({
  ...given,
  loop: { ...first, next: { from: 0, evaluation: given.previous } },
});
const other = failure({ test_id: 'others', rule: 'others', expected: '2', received: '3' });
const better = inputOf({ before: [failing, other], after: [failing], edits, rewards: [0.5, 0.7] });
const kept = gatherEvidence({ ...better, loop: firstLoop(root, better) });

describe('a step of a model leads nowhere', () => {
  it.each([
    ['the edit that has just failed', 'In src/sum.js:12, replace `net -` with `net *`.', undone],
    ['the same edit in other words', 'In src/sum.js:12, use `*` instead of `-`.', undone],
    ['the removal of what helped', 'In src/sum.js:12, take back `net *`.', kept],
    ['code that is not there any more', 'In src/sum.js:12, replace `net -` with `net /`.', kept],
    ['the undoing of what helped', 'In src/sum.js:12, replace `net *` with `net -`.', kept],
    ['the same code', 'In src/sum.js:12, replace `rate(list)` with `rate( list )`.', kept],
    ['what the result is off by', 'In src/sum.js:12, replace `net` with `net + 238`.', kept],
    ['the expected value', 'In src/sum.js:12, return `1740`.', kept],
    ['an import that is there', "Import `rate` from './rate.js' in src/sum.js.", kept],
    ['an import from nowhere', 'In src/sum.js:1, import `exec` and call `exec`.', kept],
    ['a wait where nothing can', 'In src/sum.js:12, await `rate`.', kept],
  ])('%s', (_, step, evidence) => {
    expect(stepProblem(step, evidence)).toBeDefined();
  });

  it('one that was given before', () => {
    const step = 'In src/sum.js:12, replace `net *` with `net +`.';
    const reflection = { ...reflectByRules(given), actionable_insights: [step] };
    const again = gatherEvidence({
      ...better,
      loop: { ...firstLoop(root, better), reflections: [remembered(given, reflection)] },
    });
    expect(stepProblem(step, again)).toBe('It was given before.');
  });

  it('one with which an earlier attempt failed, but not one that helped then', () => {
    const step = 'In src/sum.js:12, replace `net *` with `net +`.';
    const diff = '@@ -12 +12 @@\n-  return net * rate(list);\n+  return net + rate(list);';
    const action = { type: 'code_modification' as const, description: 'Edited', changes: { diff } };
    const before = remembered(given, reflectByRules(given));
    const actor_output = { ...before.actor_output, actions: [{ ...action, file_path: 'src/sum.js' }] };
    const after = (is_improvement: boolean) => {
      const performance_delta = { ...before.performance_delta, is_improvement };
      const reflections = [{ ...before, actor_output, performance_delta }];
      return gatherEvidence({ ...better, loop: { ...firstLoop(root, better), reflections } });
    };
    expect(stepProblem(step, after(false))).toBe('It is an edit with which an earlier attempt has failed.');
    expect(stepProblem(step, after(true))).toBeUndefined();
  });

  it.each([
    ['another edit', 'In src/sum.js:12, replace `net -` with `net +`.', undone],
    ['another edit of the kept line', 'In src/sum.js:12, replace `net *` with `net +`.', kept],
    ['a number that no test expects', 'In src/sum.js:12, replace `net` with `net * 100`.', kept],
    ['an import with its place', "Import `tax` from './tax.js' in src/sum.js.", kept],
    ['a step without a place', 'Print the arguments of `sum`.', kept],
  ])('but not %s', (_, step, evidence) => {
    expect(stepProblem(step, evidence)).toBeUndefined();
  });
});

describe('a guess that its line refutes', () => {
  it.each([
    [wrongKey, '`RATES` at src/a.js:1 has no key `DE`', 'const RATES = { DE: 0.19 };', true],
    [wrongKey, '`RATES` at src/a.js:1 has no key `FR`', 'const RATES = { DE: 0.19 };', false],
    [wrongParameters, '`sum` at src/a.js:1 takes two arguments', 'function sum(lines) {', true],
    [wrongParameters, '`sum` at src/a.js:1 takes one argument', 'const sum = (lines) => 1;', false],
    [wrongInitialKind, '`items` at src/a.js:1 is an array', 'const items = new Map();', true],
    [wrongInitialKind, '`items` at src/a.js:1 is a map', 'const items = new Map();', false],
    [wrongInitialKind, '`items` at src/a.js:1 is an array', 'const items = read();', false],
  ])('%o: %s', (check, sentence, text, isWrong) => {
    expect(check(sentence, [{ text }]) !== undefined).toBe(isWrong);
  });
});
