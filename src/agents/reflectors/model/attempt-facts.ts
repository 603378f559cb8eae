import { changedFiles } from '../../../platform/text/patch-hunks.ts';
import type { ReflectionInput } from '../../../ports/reflection.ts';
import { compareFailures } from '../../../schema/compare-failures.ts';
import type { Diagnostic } from '../../../schema/generated.ts';

/**
 * What the sentences of a model's reflection wrongly say of the attempt itself, one sentence each: its number, the files
 * that it changed, the tests that it fixed and the values that they receive. A sentence about an earlier attempt, or about
 * what is to come, is left out.
 */
export function wrongAttemptFacts(sentences: readonly string[], input: ReflectionInput): string[] {
  const fixed = compareFailures(input.previous, input.evaluation).fixed;
  let attempt = input.iteration;
  return sentences.flatMap((sentence) => {
    const named = /\b[Ii]n attempt (\d+)\b/.exec(sentence)?.[1];
    attempt = named === undefined ? attempt : Number(named);
    if (attempt > input.iteration && !INTENDED.test(sentence))
      return [`It tells of attempt ${attempt}, but this is attempt ${input.iteration}.`];
    if (attempt !== input.iteration || INTENDED.test(sentence)) return [];
    return [
      ...wrongChanges(sentence, input),
      ...wrongFixes(sentence, { input, fixed }),
      ...wrongValues(sentence, input),
    ];
  });
}

const INTENDED =
  /\b(if|will|would|should|could|next attempt|earlier|before|previous(?:ly)?|attempts? \d+ (?:and|,|to))\b/i;
/** The first person, a verb of editing, and the file that directly follows what was edited. */
const CHANGED =
  /\bI (?:also )?(?:changed|edited|modified|rewrote|fixed|updated|deleted|removed|replaced|added)\b[^.;]*?\b(?:in|to|from|of|file)? ?`?((?:[\w@.-]+\/)+[\w@.-]+\.(?:[cm]?[jt]sx?|json|ya?ml|css|html|vue|svelte))/g;

function wrongChanges(sentence: string, { patch, tampering }: ReflectionInput): string[] {
  const changed = new Set([...changedFiles(patch), ...tampering.map(({ file }) => file)]);
  return [...sentence.matchAll(CHANGED)].flatMap(([, file]) =>
    changed.has(file!) ? [] : [`It says that the attempt changed ${file}, but its patch does not.`],
  );
}

interface Known {
  readonly input: ReflectionInput;
  readonly fixed: readonly Diagnostic[];
}

function wrongFixes(sentence: string, { input, fixed }: Known): string[] {
  const { evaluation, previous } = input;
  const claims = [...sentence.matchAll(/\bfixed (?:the (?:failing )?test )?["“`]([^"”`]+)["”`]/g)];
  return claims.flatMap(([, name]) => {
    const isTest = [...evaluation.diagnostics, ...previous.diagnostics].some((one) => isNamed(one, name!));
    if (!isTest || fixed.some((one) => isNamed(one, name!))) return [];
    return [`It says that the attempt fixed "${name}", which was not failing before or still fails.`];
  });
}

function wrongValues(sentence: string, { evaluation }: ReflectionInput): string[] {
  const claims = [
    ...sentence.matchAll(
      /["“`]([^"”`]+)["”`](?: still| now)? receiv(?:es|ed) ["'`“]?([^\s"'`”,;]+?)["'`”]?(?=[\s,;]|\.?$)/g,
    ),
  ];
  return claims.flatMap(([, name, value]) => {
    const failure = evaluation.diagnostics.find((one) => isNamed(one, name!));
    const received = failure?.received;
    if (received === undefined || received.includes(value!)) return [];
    return [`It says that "${name}" received ${value}, but it received ${received.slice(0, 120)}.`];
  });
}

/** True for the whole name of a test or its last part. */
function isNamed({ rule = '', test_id: id = '' }: Diagnostic, name: string): boolean {
  return [rule, id].some((one) => one === name || one.endsWith(` > ${name}`));
}
