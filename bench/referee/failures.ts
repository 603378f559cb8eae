import type { Diagnostic, Evaluation } from '../../src/schema/generated.ts';
import { errorsOf, flat, type Facts } from './facts.ts';

/** Names in a list: `the test "a", TS1005 at src/a.ts:3 and 2 more`. */
export function namesIn(list: string): { names: string[]; more: number } {
  const more = Number(/ and (\d+) more$/.exec(list)?.[1] ?? 0);
  const names = [
    ...list
      .replace(/ and \d+ more$/, '')
      .matchAll(
        /the test "(.+?)"(?=,|$| and )|an? [a-z ]+ of "[^"]+"(?: at \S+?| when \S+ runs)?(?=, | and |$)|([\w@/-]+)(?: at (\S+?))?(?=, | and |$)/g,
      ),
  ].map(([whole]) => whole);
  return { names, more };
}

/** Whether a name of a text is that of a failure; of a long title, its innermost parts or its beginning. */
export function isNamed(failure: Diagnostic, name: string): boolean {
  const test = /^the test "(.+)"$/.exec(name)?.[1];
  if (test !== undefined) return isTitle(flat(failure.rule ?? failure.test_id ?? ''), test);
  const [rule, place] = name.replace(/ when (\S+) runs$/, ' at $1').split(' at ');
  const type = /^an? ([a-z ]+) of "(.+)"$/.exec(rule!);
  if (type !== null ? failure.type.replace('_', ' ') !== type[1] : failure.rule !== rule) return false;
  return place === undefined || `${failure.file}:${failure.line}` === place || failure.file === place;
}

function isTitle(title: string, said: string): boolean {
  if (said.endsWith('…')) return title.includes(said.slice(0, -1));
  return title === said || title.endsWith(` > ${said}`);
}

/** Errors of a tool that are more, with this fingerprint, than another evaluation has: first those that were carried along stay. */
function isMore(
  one: Diagnostic,
  among: readonly Diagnostic[],
  others: readonly Diagnostic[],
  carried: (one: Diagnostic) => boolean,
): boolean {
  if (one.test_id !== undefined || !/_error$/.test(one.type)) return false;
  const places = (list: readonly Diagnostic[]): Diagnostic[] => [
    ...new Map(
      list
        .filter(({ fingerprint }) => fingerprint === one.fingerprint)
        .map((failure) => [`${failure.file}:${failure.line}`, failure]),
    ).values(),
  ];
  const [own, rest] = [places(among), places(others)];
  if (rest.length === 0) return false;
  const ordered = [...own.filter(carried), ...own.filter((failure) => !carried(failure))];
  const more = ordered.slice(rest.length);
  return more.some(({ file, line }) => file === one.file && line === one.line);
}

/** Whether a failure was seen to pass: its test is listed as passed, or its check ran without a syntax error. */
export function passes(failure: Diagnostic, after: Evaluation): boolean {
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

/** The failure of the same test, or the same failure, before the attempt. */
export function former({ attempt }: Pick<Facts, 'attempt'>, one: Diagnostic): Diagnostic | undefined {
  return errorsOf(attempt.before).find(
    ({ fingerprint, test_id: id }) =>
      fingerprint === one.fingerprint || (id !== undefined && id === one.test_id),
  );
}

/** The failures in a state by its words in a reflection. */
export function failuresIn(state: string, facts: Facts): Diagnostic[] {
  const { attempt } = facts;
  const [before, after] = [errorsOf(attempt.before), errorsOf(attempt.evaluation)];
  const wasThere = ({ file, line, fingerprint }: Diagnostic): boolean => {
    const at = facts.lineAtStart(file ?? '', line ?? 0);
    return before.some((other) => other.fingerprint === fingerprint && other.line === at);
  };
  const isThere = ({ fingerprint, line }: Diagnostic): boolean =>
    after.some(
      (other) =>
        other.fingerprint === fingerprint && facts.lineAtStart(other.file ?? '', other.line ?? 0) === line,
    );
  const isNewPlace = (one: Diagnostic): boolean => isMore(one, after, before, wasThere);
  const isGonePlace = (one: Diagnostic): boolean => isMore(one, before, after, isThere);
  const failedBefore = (one: Diagnostic): boolean =>
    before.some(({ fingerprint }) => fingerprint === one.fingerprint) && !isNewPlace(one);
  const testFailed = (one: Diagnostic, among: readonly Diagnostic[]): boolean =>
    one.test_id !== undefined && among.some(({ test_id: id }) => id === one.test_id);
  const isOther = (one: Diagnostic): boolean => !failedBefore(one) && !testFailed(one, before);
  switch (state) {
    case 'Fixed':
    case 'Passing now':
      return before.filter(
        (one) => (passes(one, attempt.evaluation) || isGonePlace(one)) && !isUntouched(one, facts),
      );
    case 'Passing now, with the code as it was':
      return before.filter((one) => passes(one, attempt.evaluation) && isUntouched(one, facts));
    case 'Not reported again':
      return before.filter(
        (one) =>
          !after.some(({ fingerprint }) => fingerprint === one.fingerprint) &&
          !testFailed(one, after) &&
          !passes(one, attempt.evaluation),
      );
    case 'Failing as before':
      return after.filter(failedBefore);
    case 'Failing differently':
      return after.filter((one) => !failedBefore(one) && testFailed(one, before));
    case 'New':
      return after.filter((one) => isOther(one) && !isUnknown(one, attempt.before));
    default:
      return after.filter((one) => isOther(one) && isUnknown(one, attempt.before));
  }
}

/** Whether no line of code is another one, for a failure that is no error of a tool: these read comments too. */
function isUntouched({ test_id: id, type }: Diagnostic, facts: Facts): boolean {
  return (id !== undefined || !/^(?:lint|type|syntax)_error$/.test(type)) && changesNoCode(facts);
}

/** Whether every changed line is empty, a comment or prose. */
export function changesNoCode({ diff }: Facts): boolean {
  const changed = diff
    .split(/^diff --git /m)
    .filter((part) => !/^\S+ b\/\S+\.(?:md|txt)\n/.test(part))
    .flatMap((part) => part.split('\n'))
    .filter((line) => /^[+-](?!(?:\+\+|--) )/.test(line));
  return changed.every((line) => /^.\s*(?:(?:\/\/|\/?\*|#\s).*)?$/.test(line));
}

/** Whether an evaluation has no result of the test, or hides the error behind one that ends the run. */
function isUnknown(one: Diagnostic, { checks, tests, ...evaluation }: Evaluation): boolean {
  const status = checks.find(({ name }) => name === one.check)?.status;
  if (status === 'pass' || status === undefined) return false;
  if (status !== 'fail') return true;
  if (one.rule === '(file)') return false;
  if (one.test_id !== undefined && tests.length > 0)
    return !tests.some(({ id, status: result }) => id === one.test_id && result !== 'skipped');
  const others = errorsOf(evaluation as Evaluation).filter(({ check }) => check === one.check);
  if (one.type === 'lint_error')
    return others.some(({ file, message }) => file === one.file && message.startsWith('Parsing error'));
  if (one.type === 'type_error') return others.some(({ type }) => type === 'syntax_error');
  return (
    one.test_id !== undefined &&
    others.some(({ type }) => ['syntax_error', 'timeout', 'runtime_error'].includes(type))
  );
}

/** The number of different failures; an error of a tool counts once for each place. */
export function countOf(failures: readonly Diagnostic[]): number {
  const keyOf = ({ fingerprint, test_id: id, type, file, line }: Diagnostic): string =>
    id === undefined && /_error$/.test(type) ? `${fingerprint} ${file}:${line}` : fingerprint;
  return new Set(failures.map(keyOf)).size;
}

/** Whether the names of a list are failures in a state, and as many as there are. */
export function inState(state: string, facts: Facts, list: string): boolean {
  const found = failuresIn(state, facts);
  const { names, more } = namesIn(list);
  return (
    names.length > 0 &&
    names.every((name) => found.some((one) => isNamed(one, name))) &&
    names.length + more === countOf(found)
  );
}

/** The failure that a clause is about, by its place or name. */
export function failureIn(clause: string, evaluation: Evaluation): Diagnostic | undefined {
  return errorsOf(evaluation).find((one) => {
    const name =
      one.rule === '(file)'
        ? one.type.replace('_', ' ')
        : flat(one.rule ?? one.test_id ?? one.type.replace('_', ' '));
    const said = name.length > 100 ? name.split(' > ').at(-1)!.slice(0, 90) : name;
    return (
      clause.toLowerCase().includes(said.toLowerCase()) &&
      (one.file === undefined ||
        clause.includes(one.line === undefined ? one.file : `${one.file}:${one.line}`))
    );
  });
}

/** Whether a text is a value or message, its beginning where it ends with `…`, or a part of it, or members of it. */
export function isCut(told: string, whole: string): boolean {
  // Bare text of a test is told in quotation marks.
  const isQuoted = /^".*"$/.test(told) && !flat(whole).startsWith('"');
  const said = isQuoted ? told.slice(1, -1) : told;
  if (said === '… nothing else …') return true;
  if (said.startsWith('…')) {
    const parts = said.replace(/^…\s?|\s?…$/g, '').split(', ');
    return parts.every((part) => flat(whole).includes(part));
  }
  return said.endsWith('…') ? flat(whole).startsWith(said.slice(0, -1)) : flat(whole) === said;
}

/** Whether the relation that a sentence states holds between two printed values. */
export function relationHolds(relation: string, expected: string, received: string): boolean {
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
  const [wanted, found] = [unquoted(expected), unquoted(received)];
  if (relation === 'differs only in case') return wanted.toLowerCase() === found.toLowerCase();
  if (relation === 'differs only in white space')
    return wanted.replace(/\s+/g, '') === found.replace(/\s+/g, '');
  const from = /^differs from character (\d+) on$/.exec(relation)?.[1];
  if (from !== undefined) {
    const [letters, others] = [[...wanted], [...found]];
    const same = letters.findIndex((letter, at) => others[at] !== letter);
    return (same === -1 ? letters.length : same) + 1 === Number(from);
  }
  return /^is (undefined|null|NaN) where a value was expected$/.test(relation) && relation.includes(received);
}
