import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dangerIn } from '../../../platform/redaction/unsafe-text.ts';
import { sentencesOf } from '../../../platform/text/sentences.ts';
import { isProtectedName, policyProblem } from '../../../prompts/policy.ts';
import type { ReflectionInput } from '../../../ports/reflection.ts';
import type { SelfReflection } from '../../../schema/generated.ts';
import { wrongAttemptFacts } from './attempt-facts.ts';
import { folded, PLACE, recordOf, type AttemptRecord } from './attempt-record.ts';

/**
 * What a model's reflection says that the record of the attempt does not bear out, one sentence each; empty if nothing is
 * found. Files, lines, counts, action numbers, quotes, changes, fixed tests and values are looked up; texts that address
 * their reader are named as such. Of advice, one part that is against ralph's rules or names what does not exist is left out by
 * itself: only where all of it is against the rules, it is named.
 */
export function findUntruths(reflection: SelfReflection, input: ReflectionInput): string[] {
  const record = recordOf(input);
  const testFiles = new Set(input.evaluation.tests.map(({ file }) => file));
  const isProtected = (file: string): boolean => isProtectedName(file) || testFiles.has(file);
  const { reflection_text: text, credit_assignment: credit, causal_reasoning: reasoning } = reflection;
  const advice = [...reflection.actionable_insights, ...reflection.lessons_learned];
  const facts = [text, credit.root_cause, reasoning];
  const all = [...facts, ...advice];
  const advised = [
    ...reflection.actionable_insights,
    ...sentencesOf(text).filter((sentence) => /\bI will\b/.test(sentence)),
  ];
  return [
    ...new Set([
      ...all.flatMap((one) => dangerIn(one) ?? []),
      ...(advised.every((one) => policyProblem(one, isProtected) !== undefined)
        ? advised.flatMap((one) => policyProblem(one, isProtected) ?? [])
        : []),
      ...facts.flatMap((one) => unknownPlaces(one, record)),
      ...facts.flatMap((one) => wrongCounts(one, input)),
      ...facts.flatMap((one) => unknownActions(one, input)),
      ...wrongAttemptFacts(facts.flatMap(sentencesOf), input),
      ...facts.flatMap((one) => unknownQuotes(one, record)),
    ]),
  ];
}

/** Files and lines that do not exist. A sentence about a file to create, or one that is said to be absent, is left out. */
function unknownPlaces(text: string, record: AttemptRecord): string[] {
  return sentencesOf(text).flatMap((sentence) => {
    if (/\b(create|add a|new file|does not exist|missing|no file|cannot find)\b/i.test(sentence)) return [];
    return [...sentence.matchAll(PLACE)].flatMap(([, file, row]) => placeProblem(file!, row, record));
  });
}

export function placeProblem(
  file: string,
  row: string | undefined,
  { input, sources, files, text }: AttemptRecord,
): string[] {
  const isBare = !file.includes('/');
  const match = [...files].find((one) => one === file || (isBare && one.endsWith(`/${file}`)));
  const root = input.loop?.root;
  const isOnDisk = root !== undefined && !file.startsWith('..') && existsSync(join(root, file));
  if (match === undefined && !isOnDisk && !text.includes(file))
    return [`It names ${file}, which does not exist.`];
  const lines = sources.linesOf(match ?? file);
  if (row === undefined || lines === undefined || Number(row) <= lines.length) return [];
  return [`It names ${file}:${row}, but that file has ${lines.length} lines.`];
}

const COUNTS = /\b(all )?(\d+)(?: of (?:the )?(\d+))?( \w+)? tests?( now| still| all)? (pass|fail)/gi;
const EVERY = /\b(all|every) (?:the )?tests? (now )?pass(es|ed)?\b/i;

/** Words of a sentence about what is to come. */
const INTENDED = /\b(if|until|when|so that|before|would|will|should|make)\b/i;

function wrongCounts(text: string, { evaluation, previous }: ReflectionInput): string[] {
  const { metrics } = evaluation;
  const known = [metrics, previous.metrics];
  const wrong = [...text.matchAll(COUNTS)].flatMap(([match, all, count, total, , , verb]) => {
    const isPass = verb!.toLowerCase() === 'pass';
    const fits = known.some(
      ({ tests_passed: passed, tests_failed: failed, tests_total: sum }) =>
        Number(count) === (isPass ? passed : failed) &&
        (total === undefined || Number(total) === sum) &&
        (all === undefined || failed === 0 || !isPass),
    );
    const partly = all === undefined && total === undefined && Number(count) <= metrics.tests_total;
    return fits || partly
      ? []
      : [`It says "${match.trim()}", but ${metrics.tests_passed} of ${metrics.tests_total} tests passed.`];
  });
  const isAll = sentencesOf(text).some((sentence) => EVERY.test(sentence) && !INTENDED.test(sentence));
  return isAll && metrics.tests_failed > 0
    ? [...wrong, `It says that all tests pass, but ${metrics.tests_failed} failed.`]
    : wrong;
}

function unknownActions(text: string, { trajectory }: ReflectionInput): string[] {
  const count = trajectory.actions.length;
  return [...text.matchAll(/\bactions? \[?(\d+)\]?/gi)].flatMap(([match, index]) =>
    Number(index) < count
      ? []
      : [`It names "${match}", but the attempt has ${count} actions, numbered from 0.`],
  );
}

/** Passages in double quotes of at least three words that occur nowhere in the record. */
function unknownQuotes(text: string, { text: record }: AttemptRecord): string[] {
  return sentencesOf(text).flatMap((sentence) => {
    if (/\b(will|should|would|could|replace|write|instead)\b/i.test(sentence)) return [];
    return [...sentence.replace(/`[^`]*`/g, ' ').matchAll(/["“]([^"”]*)["”]/g)].flatMap(([, quote]) =>
      quote!.trim().split(/\s+/).length < 3 || record.includes(folded(quote!))
        ? []
        : [`It quotes "${quote!.slice(0, 80)}", which occurs nowhere in the record.`],
    );
  });
}
