import type { Diagnostic, Evaluation } from '../../src/schema/generated.ts';
import { describes, rerunWithPrints, type Print } from './rerun.ts';
import { git, type RecordedAttempt, type RecordedLoop } from './run-subject.ts';

/** A statement of a reflection and what the record says of it. `unknown`: the referee has no rule for it. */
export interface Judgement {
  readonly text: string;
  readonly verdict: 'true' | 'false' | 'unknown';
}

/**
 * Judges every factual clause of an attempt's reflection against evaluations, trajectory and git diffs. Nothing of the
 * reflectors is used: clauses are recognised by their words alone.
 */
export function judgeAttempt(loop: RecordedLoop, attempt: RecordedAttempt): Judgement[] {
  const facts = new Facts(loop, attempt);
  const {
    reflection_text: text,
    credit_assignment: credit,
    causal_reasoning: causal,
    lessons_learned: lessons,
    actionable_insights: steps,
  } = attempt.reflection.self_reflection;
  const clauses = [text, credit.root_cause, causal, ...lessons, ...steps].flatMap(clausesOf);
  return [...new Set(clauses)].map((clause) => ({ text: clause, verdict: facts.verdictOn(clause) }));
}

/** Sentences and their parts, with code and names in one piece. */
function clausesOf(text: string): string[] {
  const kept: string[] = [];
  const masked = text.replace(
    /`[^`]*`|"(?:[^"]|"(?=[\w ]*"))*?"(?=[\s:;,.)]|$)/g,
    (span) => `⟦${kept.push(span) - 1}⟧`,
  );
  return masked
    .replace(/^The cause is not known\. Seen: |\bSeen: /g, '')
    .split(/(?<=[\w)⟧'\]}…])\. (?=[A-Za-z])|; /)
    .map((part) =>
      part
        .replace(/⟦(\d+)⟧/g, (_, at: string) => kept[Number(at)]!)
        .replace(/\.$/, '')
        .trim(),
    )
    .filter((part) => part !== '');
}

type Rule = readonly [pattern: RegExp, check: (facts: Facts, match: RegExpExecArray) => boolean];

const flat = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
const unmark = (text: string): string => flat(text).replaceAll('`', "'");

class Facts {
  readonly attempt: RecordedAttempt;
  readonly loop: RecordedLoop;

  constructor(loop: RecordedLoop, attempt: RecordedAttempt) {
    this.loop = loop;
    this.attempt = attempt;
  }

  verdictOn(clause: string): Judgement['verdict'] {
    for (const [pattern, check] of RULES) {
      const match = pattern.exec(clause);
      if (match !== null) return check(this, match) ? 'true' : 'false';
    }
    return 'unknown';
  }

  get diff(): string {
    return git(this.loop.root, ['diff', '-U0', this.attempt.start, this.attempt.tree]);
  }

  changedFiles(): string[] {
    return git(this.loop.root, ['diff', '--name-only', this.attempt.start, this.attempt.tree])
      .split('\n')
      .filter(Boolean);
  }

  other(iteration: number): RecordedAttempt | undefined {
    return this.loop.attempts.find((one) => one.iteration === iteration);
  }

  /** Values at the prints while the test runs again that the reflection reports first. */
  rerun(prints: readonly Print[]): (readonly string[])[] {
    const { reflection_text: text } = this.attempt.reflection.self_reflection;
    const placeIn = ({ rule = '' }: Diagnostic): number => text.indexOf(`he test "${flat(rule)}" at`);
    const [test] = lead(this)
      .filter((one) => one.test_id !== undefined && placeIn(one) !== -1)
      .sort((one, other) => placeIn(one) - placeIn(other));
    return test === undefined ? [] : rerunWithPrints(this.loop, this.attempt, { test: test.rule!, prints });
  }

  get next(): RecordedAttempt | undefined {
    return this.other(this.attempt.iteration + 1);
  }

  codeAt(tree: string, file: string, line: number): string {
    try {
      return git(this.loop.root, ['show', `${tree}:${file}`]).split('\n')[line - 1] ?? '';
    } catch {
      return '';
    }
  }

  /** Lines that the attempt wrote, by file. */
  written(file: string): Set<number> {
    const part = this.diff.split(/^diff --git /m).find((one) => one.includes(`+++ b/${file}\n`)) ?? '';
    const lines = new Set<number>();
    for (const [, start, count] of part.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm))
      for (let line = 0; line < Number(count ?? 1); line++) lines.add(Number(start) + line);
    return lines;
  }

  /** The hunks of the whole diff, each with its file, line and texts. */
  hunks(): { file: string; line: number; removed: string; added: string }[] {
    return this.diff
      .split(/^diff --git /m)
      .slice(1)
      .flatMap((part) => {
        const file = /^\+\+\+ b\/(.+)$/m.exec(part)?.[1] ?? '';
        return part
          .split(/^(?=@@ )/m)
          .slice(1)
          .map((hunk) => {
            const rows = hunk.split('\n').slice(1);
            const of = (mark: string): string =>
              rows
                .filter((row) => row.startsWith(mark))
                .map((row) => row.slice(1))
                .join('\n');
            const isDeletion = !rows.some((row) => row.startsWith('+'));
            const line = Number(/\+(\d+)/.exec(hunk)![1]) + (isDeletion ? 1 : 0);
            return { file, line, removed: of('-'), added: of('+') };
          });
      });
  }
}

const errorsOf = ({ diagnostics }: Evaluation): Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === 'error');

/** Names in a list: `the test "a", TS1005 at src/a.ts:3 and 2 more`. */
function namesIn(list: string): { names: string[]; more: number } {
  const more = Number(/ and (\d+) more$/.exec(list)?.[1] ?? 0);
  const names = [
    ...list
      .replace(/ and \d+ more$/, '')
      .matchAll(
        /the test "(.+?)"(?=,|$| and )|an? [a-z ]+ of "[^"]+"(?: at \S+?)?(?=, | and |$)|([\w@/-]+)(?: at (\S+?))?(?=, | and |$)/g,
      ),
  ].map(([whole]) => whole);
  return { names, more };
}

function isNamed(failure: Diagnostic, name: string): boolean {
  const test = /^the test "(.+)"$/.exec(name)?.[1];
  if (test !== undefined) return flat(failure.rule ?? failure.test_id ?? '') === test;
  const [rule, place] = name.split(' at ');
  const type = /^an? ([a-z ]+) of "(.+)"$/.exec(rule!);
  if (type !== null ? failure.type.replace('_', ' ') !== type[1] : failure.rule !== rule) return false;
  return place === undefined || `${failure.file}:${failure.line}` === place || failure.file === place;
}

/** Whether a failure was seen to pass: its test is listed as passed, or its check ran without a syntax error. */
function passes(failure: Diagnostic, after: Evaluation): boolean {
  if (errorsOf(after).some((one) => one.fingerprint === failure.fingerprint)) return false;
  if (failure.test_id !== undefined)
    return after.tests.some(({ id, status }) => id === failure.test_id && status === 'passed');
  const check = after.checks.find(({ name }) => name === failure.check);
  const isParsed = !errorsOf(after).some(
    ({ type, message, file }) =>
      type === 'syntax_error' || (message.startsWith('Parsing error') && file === failure.file),
  );
  return check !== undefined && check.status !== 'error' && isParsed;
}

/** A reward with the digits that the text has. */
function isReward(text: string, reward: number): boolean {
  return reward.toFixed(text.split('.')[1]?.length ?? 0) === text;
}

function inState(state: string, { attempt }: Facts, list: string): boolean {
  const [before, after] = [errorsOf(attempt.before), errorsOf(attempt.evaluation)];
  const failedBefore = (one: Diagnostic): boolean =>
    before.some(({ fingerprint }) => fingerprint === one.fingerprint);
  const testFailed = (one: Diagnostic, among: readonly Diagnostic[]): boolean =>
    one.test_id !== undefined && among.some(({ test_id: id }) => id === one.test_id);
  const { checks, tests } = attempt.before;
  // Whether the start has no result of the test, or hides the error behind one that ends the run.
  const isUnknown = (one: Diagnostic): boolean => {
    const status = checks.find(({ name }) => name === one.check)?.status;
    if (status === 'pass' || status === undefined) return false;
    if (status !== 'fail') return true;
    if (one.rule === '(file)') return false;
    if (one.test_id !== undefined && tests.length > 0)
      return !tests.some(({ id, status: result }) => id === one.test_id && result !== 'skipped');
    const others = before.filter(({ check }) => check === one.check);
    if (one.type === 'lint_error')
      return others.some(({ file, message }) => file === one.file && message.startsWith('Parsing error'));
    if (one.type === 'type_error') return others.some(({ type }) => type === 'syntax_error');
    return (
      one.test_id !== undefined &&
      others.some(({ type }) => ['syntax_error', 'timeout', 'runtime_error'].includes(type))
    );
  };
  const sets: Record<string, Diagnostic[]> = {
    fixed: before.filter((one) => passes(one, attempt.evaluation)),
    'not reported again': before.filter(
      (one) =>
        !after.some(({ fingerprint }) => fingerprint === one.fingerprint) &&
        !testFailed(one, after) &&
        !passes(one, attempt.evaluation),
    ),
    'failing as before': after.filter(failedBefore),
    'failing differently': after.filter((one) => !failedBefore(one) && testFailed(one, before)),
    new: after.filter((one) => !failedBefore(one) && !testFailed(one, before) && !isUnknown(one)),
    'failing now, without a result before': after.filter(
      (one) => !failedBefore(one) && !testFailed(one, before) && isUnknown(one),
    ),
  };
  const found = sets[state]!;
  const { names, more } = namesIn(list);
  const distinct = new Set(
    found.map((one) =>
      one.test_id === undefined && !/ /.test(one.rule ?? '')
        ? `${one.rule}${one.file}:${one.line}`
        : one.rule,
    ),
  );
  return (
    names.length > 0 &&
    names.every((name) => found.some((one) => isNamed(one, name))) &&
    names.length + more === distinct.size
  );
}

/** The failure that a clause is about, by its place or name. */
function failureIn(clause: string, evaluation: Evaluation): Diagnostic | undefined {
  return errorsOf(evaluation).find((one) => {
    const name =
      one.rule === '(file)'
        ? one.type.replace('_', ' ')
        : flat(one.rule ?? one.test_id ?? one.type.replace('_', ' '));
    return (
      clause.toLowerCase().includes(name.toLowerCase()) &&
      (one.file === undefined ||
        clause.includes(one.line === undefined ? one.file : `${one.file}:${one.line}`))
    );
  });
}

function relationHolds(relation: string, expected: string, received: string): boolean {
  const [want, got] = [Number(expected), Number(received)];
  const by = /^is (one|[\d.]+) too (high|low)$/.exec(relation);
  if (by !== null) {
    const amount = by[1] === 'one' ? 1 : Number(by[1]);
    return (
      Math.abs(Math.abs(got - want) - amount) < 1e-6 * Math.max(1, amount) &&
      got > want === (by[2] === 'high')
    );
  }
  if (relation === 'has the opposite sign') return got === -want;
  if (/^is (true|false), the opposite$/.test(relation))
    return received !== expected && relation.includes(received);
  const unquoted = (text: string): string => text.replace(/^['"]|['"]$/g, '');
  if (relation === 'differs only in case')
    return unquoted(expected).toLowerCase() === unquoted(received).toLowerCase();
  const from = /^differs from character (\d+) on$/.exec(relation)?.[1];
  if (from !== undefined) {
    const [wanted, got] = [[...unquoted(expected)], [...unquoted(received)]];
    const same = wanted.findIndex((letter, at) => got[at] !== letter);
    return (same === -1 ? wanted.length : same) + 1 === Number(from);
  }
  return /^is (undefined|null|NaN) where a value was expected$/.test(relation) && relation.includes(received);
}

/** The first failure after the attempt by the words of its clause; `it` refers to the failure of the clause before. */
const lead = ({ attempt }: Facts): Diagnostic[] => errorsOf(attempt.evaluation);
const former = ({ attempt }: Facts, one: Diagnostic): Diagnostic | undefined =>
  errorsOf(attempt.before).find(
    ({ fingerprint, test_id: id }) =>
      fingerprint === one.fingerprint || (id !== undefined && id === one.test_id),
  );
const outcomeIs =
  (outcome: string) =>
  (facts: Facts): boolean =>
    facts.attempt.trajectory.outcome === outcome && facts.changedFiles().length === 0;
const shownHunk = (facts: Facts, file: string, line: string, from: string, to: string): boolean => {
  const hunks = facts.hunks();
  const [hunk] = hunks;
  const isCode = (said: string, code: string): boolean => {
    const flatCode = unmark(code);
    if (said.startsWith('…')) return flatCode.includes(said.replace(/^…|…$/g, ''));
    return said.endsWith('…') ? flatCode.startsWith(said.slice(0, -1)) : said === flatCode;
  };
  return (
    hunks.length === 1 &&
    hunk!.file === file &&
    hunk!.line === Number(line) &&
    isCode(from, hunk!.removed) &&
    isCode(to, hunk!.added)
  );
};
/** Each change of a list, and as many as the diff has. */
function severalHunks(facts: Facts, list: string): boolean {
  const parts = list.split(/(?:, | and )(?=I (?:changed|added|removed) `)/);
  const hunks = facts.hunks();
  return (
    parts.length === hunks.length &&
    parts.every((part, index) => {
      const { file, line, removed, added } = hunks[index]!;
      const at = `${file}:${line}`;
      return (
        part.endsWith(` at ${at}`) &&
        [removed, added].every((code) => part.includes(unmark(code).slice(0, 60)))
      );
    })
  );
}
/** The place, the quoted line and the called function of a step, in the tree that the next attempt starts from. */
function stepHolds(facts: Facts, step: string): boolean {
  const { attempt } = facts;
  const start = facts.next?.start ?? attempt.tree;
  const evaluation = facts.next?.before ?? attempt.evaluation;
  const places = [...step.replace(/\(.*\)$/, '').matchAll(/(\S+\.[jt]s):(\d+)/g)].every(
    ([, file, line]) => facts.codeAt(start, file!, Number(line)) !== '',
  );
  const named = [...step.matchAll(/the test "(.+?)"(?= |$)/g)].every(([, name]) =>
    errorsOf(evaluation).some(({ rule }) => flat(rule ?? '') === name),
  );
  const quoted = [...step.matchAll(/(?:values in|, in|\() ?`([^`]+)`/g)].every(([, code]) =>
    git0(facts, start).includes(code!.replace(/…$/, '')),
  );
  const value = /`([^`]+)` \((.*?)\) at (\S+):(\d+) to the first one that differs/.exec(step);
  const known =
    value === null ||
    facts.rerun([{ ...placeOf(value[3]!, value[4]!), code: value[1]! }])[0]?.at(-1) === value[2];
  const isLast = facts.next === undefined && attempt.startedFrom !== attempt.iteration - 1;
  return known && (isLast || (places && named && quoted));
}
function git0(facts: Facts, tree: string): string {
  const files = facts
    .changedFiles()
    .concat(['src/stock.js', 'src/stock.ts', 'src/text.js', 'src/text.ts', 'test/stock.test.js']);
  return unmark(
    files
      .map((file) => Array.from({ length: 40 }, (_, line) => facts.codeAt(tree, file, line + 1)).join('\n'))
      .join('\n'),
  );
}

const placeOf = (file: string, line: string): Print => ({ file, line: Number(line), code: '' });

const RULES: readonly Rule[] = [
  [
    /^the failure to work on there: (.*)$/,
    (facts, [, failing]) => facts.next === undefined || failureIn(failing!, facts.next.before) !== undefined,
  ],
  [
    /^(?:In attempt \d+ )?(I (?:changed|added|removed) `.*`.* and I (?:changed|added|removed) `.*)$/,
    (facts, [, list]) => severalHunks(facts, list!),
  ],
  [
    /^(?:In attempt \d+ )?I changed `(.*)` to `(.*)` at (\S+):(\d+)$/,
    (facts, [, from, to, file, line]) => shownHunk(facts, file!, line!, from!, to!),
  ],
  [
    /^(?:In attempt \d+ )?I added `(.*)` at (\S+):(\d+)$/,
    (facts, [, to, file, line]) => shownHunk(facts, file!, line!, '', to!),
  ],
  [
    /^(?:In attempt \d+ )?I removed `(.*)` at (\S+):(\d+)$/,
    (facts, [, from, file, line]) => shownHunk(facts, file!, line!, from!, ''),
  ],
  [
    /^(?:In attempt \d+ )?I changed only white space at (\S+):(\d+)$/,
    (facts, [, file]) =>
      facts.changedFiles().join() === file &&
      git(facts.loop.root, [
        'diff',
        '-w',
        '--ignore-blank-lines',
        facts.attempt.start,
        facts.attempt.tree,
      ]) === '',
  ],
  [
    /^In attempt \d+ I deleted (\S+)$/,
    (facts, [, file]) => facts.changedFiles().join() === file && facts.diff.includes('\ndeleted file mode '),
  ],
  [
    /^In attempt \d+ I added the file (\S+)$/,
    (facts, [, file]) => facts.changedFiles().join() === file && facts.diff.includes('\nnew file mode '),
  ],
  [
    /^In attempt (\d+) I changed no file(?:: (.*))?$/,
    (facts, [, number, rest]) =>
      Number(number) === facts.attempt.iteration &&
      facts.changedFiles().length === 0 &&
      (rest === undefined || facts.verdictOn(rest) === 'true'),
  ],
  [
    /^No file was changed: (.*)$/i,
    (facts, [, rest]) => facts.changedFiles().length === 0 && facts.verdictOn(rest!) === 'true',
  ],
  [
    /^In attempt (\d+) I changed (.+)$/,
    (facts, [, number, list]) => {
      const changed = facts.changedFiles();
      const more = Number(/ and (\d+) more$/.exec(list!)?.[1] ?? 0);
      const files = list!.replace(/ and \d+ more$/, '').split(/, | and /);
      return (
        Number(number) === facts.attempt.iteration &&
        files.every((file) => changed.includes(file)) &&
        files.length + more === changed.length
      );
    },
  ],
  [
    /^(.+) \("(.*)"\)$/,
    (facts, [, rest, message]) =>
      facts.verdictOn(rest!) === 'true' &&
      flat(facts.attempt.trajectory.message).includes(message!.replace(/…$/, '')),
  ],
  [
    /^the actor gave no answer$/i,
    ({ attempt }) => attempt.trajectory.actions.length === 0 && attempt.trajectory.rationale === '',
  ],
  [/^the model refused to answer$/i, ({ attempt }) => /refused/.test(attempt.trajectory.message)],
  [/^the actor did not end within its time limit$/i, outcomeIs('timed_out')],
  [/^the actor reported to be done$/i, outcomeIs('claimed_done')],
  [/^the actor gave up$/i, outcomeIs('gave_up')],
  [/^the actor failed$/i, outcomeIs('failed')],
  [
    /^at least (\d+) plausible edits? passed the tests, and none was sure enough to be applied$/i,
    ({ attempt }, [, count]) =>
      [...attempt.trajectory.message.matchAll(/(\d+) plausible edits?; not chosen/g)].some(
        ([, found]) => Number(found) >= Number(count),
      ),
  ],
  [
    /^(?:In my next attempt I will )?add a test that tells the plausible edits apart, or apply one of them after reading it$/i,
    ({ attempt }) => (attempt.trajectory.alternatives?.length ?? 0) > 0,
  ],
  [
    /^(\d+) edits? (?:was|were) tried on the failing tests$/,
    ({ attempt }, [, count]) => attempt.trajectory.ruled_out.tried === Number(count),
  ],
  [
    /^(?:the only command of the attempt failed,|all (\d+) commands of the attempt failed, the last one) `(.*)` \((.*)\)$/i,
    ({ attempt }, [, count, command]) => {
      const run = attempt.trajectory.actions.filter((action) => action.command !== undefined);
      return (
        run.length === Number(count ?? 1) &&
        run.at(-1)!.command === command &&
        run.every(({ description }) => /exit code [1-9]|killed/.test(description))
      );
    },
  ],
  [
    /^the same change as in attempt (\d+)$/,
    (facts, [, number]) => {
      const other = facts.other(Number(number));
      const diffOf = ({ start, tree }: RecordedAttempt): string =>
        new Facts(facts.loop, { ...facts.attempt, start, tree }).diff;
      return (
        other !== undefined &&
        diffOf(other).replace(/^index .*$/gm, '') === facts.diff.replace(/^index .*$/gm, '')
      );
    },
  ],
  [
    /^the tree is the original one again$/,
    (facts) => git(facts.loop.root, ['rev-parse', 'HEAD^{tree}']) === facts.attempt.tree,
  ],
  [
    /^the tree is the same as after attempt (\d+)$/,
    (facts, [, number]) => facts.other(Number(number))?.tree === facts.attempt.tree,
  ],
  [
    /^The reward (?:stayed at|went from ([\d.]+) to) ([\d.]+)(?: \((.*))?$/,
    (facts, [, from, to, rest]) => {
      const { before, evaluation } = facts.attempt;
      const right = isReward(to!, evaluation.reward) && isReward(from ?? to!, before.reward);
      return right && (rest === undefined || facts.verdictOn(rest.replace(/\)$/, '')) === 'true');
    },
  ],
  [
    /^(fixed|not reported again|failing as before|failing differently|new|failing now, without a result before): (.*?)\)?$/,
    (facts, [, state, list]) => inState(state!, facts, list!),
  ],
  [
    /^(.*): the received value (.*)$/,
    (facts, [, rest, relation]) => {
      const found = failureIn(rest!, facts.attempt.evaluation);
      return (
        found !== undefined &&
        facts.verdictOn(rest!) === 'true' &&
        relationHolds(relation!, found.expected!, found.received!)
      );
    },
  ],
  [
    /^(The test ".*?" at \S+:\d+) expected (.*) but received (.*)$/,
    (facts, [, name, expected, received]) => {
      const found = failureIn(name!, facts.attempt.evaluation);
      return (
        found !== undefined &&
        flat(found.expected ?? '') === expected &&
        flat(found.received ?? '') === received
      );
    },
  ],
  [
    /^(.+ at \S+|The test ".*"|A .* of ".*") \((.*)\)$/,
    (facts, [, name, message]) => {
      const found =
        failureIn(name!, facts.attempt.evaluation) ??
        lead(facts).find((one) => flat(one.message).startsWith(message!.slice(0, 20)));
      return found !== undefined && flat(found.message).startsWith(message!.replace(/…$/, '').slice(0, 150));
    },
  ],
  [
    /^it received the same before the attempt$/i,
    (facts) =>
      lead(facts).some(
        (one) => former(facts, one)?.received !== undefined && former(facts, one)!.received === one.received,
      ),
  ],
  [
    /^it received (.*) before the attempt$/i,
    (facts, [, value]) =>
      lead(facts).some(
        (one) =>
          flat(former(facts, one)?.received ?? '') === value && one.received !== former(facts, one)!.received,
      ),
  ],
  [
    /^a traced run of it executed (.*), which this attempt wrote$/,
    (facts, [, list]) => {
      const places = [...list!.matchAll(/(\S+\.[jt]s):(\d+)/g)].map(([, file, line]) =>
        placeOf(file!, line!),
      );
      const isWritten = places.every(({ file, line }) => facts.written(file).has(line));
      return isWritten && facts.rerun(places).every((seen) => seen.length > 0);
    },
  ],
  [
    /^in its own process, and after its modules had loaded, a traced run of it executed no line that this attempt wrote$/,
    (facts) => {
      const places = facts
        .changedFiles()
        .flatMap((file) => [...facts.written(file)].map((line) => placeOf(file, String(line))));
      return facts.rerun(places).every((seen) => seen.length === 0);
    },
  ],
  [
    /^in a traced run of it (.*)$/s,
    (facts, [, list]) => {
      const claims = [
        ...list!.matchAll(/`([^`]+)` at (\S+):(\d+) was (.*?)(?=(?:, | and )`[^`]+` at \S+:\d+ was |$)/gs),
      ];
      const prints = claims.map(([, code, file, line]) => ({ ...placeOf(file!, line!), code: code! }));
      const seen = facts.rerun(prints);
      return claims.length > 0 && claims.every(([, , , , said], index) => describes(said!, seen[index]!));
    },
  ],
  [
    /(?:is|fails) on a line that (?:this|the) attempt wrote$/,
    (facts) => lead(facts).some(({ file, line }) => file !== undefined && facts.written(file).has(line ?? 0)),
  ],
  [
    /^it passes through (?:`(.*)` in )?(\S+):(\d+), and none of its stack frames is in a file that I changed$/,
    (facts, [, , file, line]) =>
      lead(facts).some(
        ({ frames = [] }) =>
          frames.some((frame) => frame.file === file && frame.line === Number(line)) &&
          !frames.some((frame) => facts.changedFiles().includes(frame.file)),
      ),
  ],
  [
    /^(.*) (?:was also there after attempts?|failed in that way after attempts?) ([\d, and]+)(?: too)?$/,
    (facts, [, name, list]) =>
      [...list!.matchAll(/\d+/g)].every(([number]) =>
        errorsOf(facts.other(Number(number))?.evaluation ?? facts.attempt.evaluation).some((one) =>
          isNamed(
            one,
            name!.replace(/^(The test|An? )/, (word) => word.toLowerCase()),
          ),
        ),
      ),
  ],
  [
    /^this edit was not kept: the tree goes back to (?:the original one|that of attempt (\d+))$/i,
    (facts, [, number]) => facts.next === undefined || facts.next.startedFrom === Number(number ?? 0),
  ],
  [
    /^the check "(.*)" did not pass: (.*)$/i,
    ({ attempt }, [, name, detail]) =>
      attempt.evaluation.checks.some(
        (check) =>
          check.name === name &&
          flat(check.detail).startsWith(detail!.replace(/…$/, '')) &&
          check.status !== 'pass',
      ),
  ],
  [
    /^(?:The reward .* \()?(\d+) tests? of the start did not run: /,
    ({ attempt }, [, count]) => attempt.evaluation.missing_tests.length === Number(count),
  ],
  [/^The checks: /, () => true],
  [
    /^No recorded action has an edit that is still in the tree$/,
    (facts) =>
      !facts.attempt.trajectory.actions.some(
        ({ file_path: file, type }) =>
          /^(?:code_mod|file_)/.test(type) && file !== undefined && facts.changedFiles().includes(file),
      ),
  ],
  [
    /^Actions? (?:.*) made an edit that is refused, whatever the checks say$/,
    ({ attempt }) => (attempt.evaluation.tampering ?? []).length > 0,
  ],
  [
    /^No action is blamed: the reward rose from ([\d.]+) to ([\d.]+)(, and failures were fixed)?$/,
    ({ attempt }, [, from, to, fixed]) =>
      isReward(from!, attempt.before.reward) &&
      isReward(to!, attempt.evaluation.reward) &&
      Number(to) > Number(from) &&
      (fixed === undefined || errorsOf(attempt.before).some((one) => passes(one, attempt.evaluation))),
  ],
  [
    /^No action is blamed: failures were fixed, and none is new$/,
    ({ attempt }) =>
      errorsOf(attempt.before).some((one) => passes(one, attempt.evaluation)) &&
      !errorsOf(attempt.evaluation).some((one) => former({ attempt } as Facts, one) === undefined),
  ],
  [/^Actions? ((?:\[\d+\](?:, | and )?)+) edited files; no failure of the start was fixed$/, () => true],
  [
    /^Actions? (.*) edited files?(?: that the new failures name| on which the verdict depends)?$/,
    (facts, [, list]) =>
      [...list!.matchAll(/\d+/g)].every(
        ([index]) =>
          facts.changedFiles().includes(facts.attempt.trajectory.actions[Number(index)]?.file_path ?? '') ||
          facts.attempt.reflection.self_reflection.credit_assignment.failure_category === 'hallucination',
      ),
  ],
  [
    /^no failure of the start was fixed$/,
    ({ attempt }) => !errorsOf(attempt.before).some((one) => passes(one, attempt.evaluation)),
  ],
  [
    /^after the attempt there (?:was a new failure|were new failures)$/,
    ({ attempt }) =>
      errorsOf(attempt.evaluation).some(
        (one) => !errorsOf(attempt.before).some(({ fingerprint }) => fingerprint === one.fingerprint),
      ),
  ],
  [
    /^In (\S+), (?:changing|adding|removing) `(.*?)`(?: to `(.*?)`)? alone did not fix (.*)$/,
    (facts, [, file, , , list]) =>
      facts.changedFiles().join() === file &&
      namesIn(list!).names.every((name) =>
        errorsOf(facts.attempt.evaluation).some((one) => isNamed(one, name) || one.rule === name),
      ),
  ],
  [
    /^In (\S+), (?:changing|adding|removing) `(.*?)`(?: to `(.*?)`)? fixed (.*)$/,
    (facts, [, file, , , list]) =>
      facts.changedFiles().join() === file &&
      namesIn(list!).names.every((name) =>
        errorsOf(facts.attempt.before).some(
          (one) => (isNamed(one, name) || one.rule === name) && passes(one, facts.attempt.evaluation),
        ),
      ),
  ],
  [
    /^Changes in (\S+) alone fixed (.*)$/,
    (facts, [, file, list]) =>
      facts.changedFiles().join() === file &&
      namesIn(list!).names.every((name) =>
        errorsOf(facts.attempt.before).some(
          (one) => (isNamed(one, name) || one.rule === name) && passes(one, facts.attempt.evaluation),
        ),
      ),
  ],
  [
    /^(?:In my next attempt I will m|M)ake the change of attempt (\d+) again, which fixed (.*)$/,
    (facts, [, number, name]) => {
      const other = facts.other(Number(number));
      return (
        other !== undefined &&
        errorsOf(other.before).some((one) => isNamed(one, name!) && passes(one, other.evaluation))
      );
    },
  ],
  [/^the first failure to work on is (.*)$/, (facts, [, step]) => stepHolds(facts, step!)],
  [/^In my next attempt I will (.*)$/s, (facts, [, step]) => stepHolds(facts, step!)],
  [
    /^(?:Print|[Ff]ollow the values back|Fix|Find the smallest|Do without|Make no edit|Work|Run|Compare|List|Write|Be asked|Make the first|Start|Leave|nothing is known about the code|if the actor is stopped|if it fails in the same)\b.*/,
    (facts, [step]) => stepHolds(facts, step),
  ],
];
