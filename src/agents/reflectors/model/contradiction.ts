import { escapeRegExp } from '../../../platform/text/escape-regexp.ts';
import { parseHunks } from '../../../platform/text/patch-hunks.ts';
import type { SeenValue } from '../../../ports/reflection.ts';
import { orderedAlready, wrongFlag } from './already.ts';
import { PLACE, type AttemptRecord } from './attempt-record.ts';
import { wrongInitialKind, wrongKey, wrongParameters } from './line-contradictions.ts';
import { wrongResult, wrongTruth } from './wrong-results.ts';

/**
 * Contradicts a sentence of a model with the record: with a traced value, the named line, or the patch. Undefined where the
 * record has nothing against it, which does not make the sentence true.
 */
export function contradiction(sentence: string, record: AttemptRecord): string | undefined {
  const places = placesOf(sentence, record);
  const checks = [
    wrongValue,
    wrongResult,
    wrongTruth,
    wrongKind,
    wrongStart,
    presentAlready,
    wrongFlag,
    orderedAlready,
    wrongImport,
    wrongCall,
    notChanged,
    notRun,
    wrongBefore,
    wrongKey,
    wrongParameters,
    wrongInitialKind,
  ];
  return checks.map((check) => check(sentence, places, record)).find((problem) => problem !== undefined);
}

interface Named {
  readonly file: string;
  readonly line: number | undefined;
  /** Text of the line, or of the whole file where no line is named; empty if it cannot be read. */
  readonly text: string;
  readonly whole: string;
}

type Check = (sentence: string, places: readonly Named[], record: AttemptRecord) => string | undefined;

function placesOf(sentence: string, { sources, files }: AttemptRecord): Named[] {
  return [...sentence.matchAll(PLACE)].map(([, name, row]) => {
    const file = [...files].find((one) => one === name || one.endsWith(`/${name}`)) ?? name!;
    const lines = sources.linesOf(file) ?? [];
    const line = row === undefined ? undefined : Number(row);
    const whole = lines.join('\n');
    return { file, line, text: line === undefined ? whole : (lines[line - 1] ?? ''), whole };
  });
}

const NUMBER = String.raw`-?\d[\d_]*(?:\.\d+)?`;

/** Values that the trace has of an expression in a named file. */
function seenOf(code: string, places: readonly Named[], { input }: AttemptRecord): readonly SeenValue[] {
  const values = input.trace?.values ?? [];
  return values.filter(
    (value) => value.code === code && (places.length === 0 || places.some(({ file }) => file === value.file)),
  );
}

/** `hours` is 2, where the trace or the line has another number. */
const wrongValue: Check = (sentence, places, record) => {
  const IS = new RegExp(
    String.raw`\x60?([A-Za-z_$][\w$.]*)\x60?(?: (?:in|at) \S+)? (?:is|was|are|equals|has the value) (?:still |only |really )?\x60?(${NUMBER})\x60?(?![\w.]*\d)`,
    'g',
  );
  for (const [, code, number] of sentence.matchAll(IS)) {
    const seen = seenOf(code!, places, record);
    const told = seen.flatMap(({ first, last = first }) => [first, last]);
    if (told.length > 0 && !told.some((text) => Number(text) === Number(number)))
      return `It says that ${code} is ${number}, but a traced run had ${told[0]}.`;
    const written = places.flatMap(
      ({ text }) =>
        new RegExp(String.raw`\b${escapeRegExp(code!)} *= *(${NUMBER}) *;?`).exec(text)?.[1] ?? [],
    );
    if (written.length > 0 && !written.some((text) => Number(text) === Number(number)))
      return `It says that ${code} is ${number}, but the code has ${written[0]}.`;
  }
  return undefined;
};

/** `cents` is a string, or to be converted to a number, where the trace has a number. */
const wrongKind: Check = (sentence, places, record) => {
  const KIND =
    /`?([A-Za-z_$][\w$.]*)`?(?: (?:in|at) \S+)? (?:is|was) (?:a |an )(string|number|boolean|array|object)\b/g;
  const CONVERT =
    /\b(?:convert|cast|coerce|turn|parse) `?([A-Za-z_$][\w$.]*)`? (?:\S+ )?(?:in)?to (?:a |an )?(number|integer|string)\b/gi;
  for (const [, code, kind] of sentence.matchAll(KIND)) {
    const [seen] = seenOf(code!, places, record);
    if (seen !== undefined && kindOf(seen.first) !== kind)
      return `It says that ${code} is a ${kind}, but a traced run had ${seen.first}.`;
  }
  for (const [, code, kind] of sentence.matchAll(CONVERT)) {
    const [seen] = seenOf(code!, places, record);
    if (seen !== undefined && kindOf(seen.first) === kind!.toLowerCase().replace('integer', 'number'))
      return `It converts ${code}, which was ${seen.first} in a traced run.`;
  }
  return undefined;
};

function kindOf(value: string): string {
  if (/^['"`]/.test(value)) return 'string';
  if (value.startsWith('[')) return 'array';
  if (/^(?:true|false)$/.test(value)) return 'boolean';
  return value.trim() !== '' && !Number.isNaN(Number(value)) ? 'number' : 'object';
}

/** A loop or variable that starts or ends at a number which its line does not have. */
const wrongStart: Check = (sentence, places) => {
  const START = new RegExp(
    String.raw`\b(?:starts?|begins?|ends?|stops?)\b[^.;]{0,30}?\b(?:at|with|from) (${NUMBER})`,
    'i',
  );
  const [, number] = START.exec(sentence) ?? [];
  if (number === undefined || /\b(?:let|make|should|must)\b/i.test(sentence)) return undefined;
  if (places.length === 0 || places.every(({ text }) => text === '')) return undefined;
  const isThere = places.some(({ text }) =>
    new RegExp(String.raw`[=<>,(] *${escapeRegExp(number)}(?![\w.])`).test(text),
  );
  return isThere ? undefined : `It says where something starts or ends, but ${number} is not in that line.`;
};

const KEYWORDS = 'return|await|import|export|async|const|break|continue|default|else|throw|static';

/** Something that is missing, or to be added, in a line that has it. */
const presentAlready: Check = (sentence, places) => {
  const MISSING = new RegExp(
    String.raw`\b(?:add|insert|write|put) (?:a |an |the )?(${KEYWORDS})\b|\b(?:an? |the )?(${KEYWORDS})\b[^;]{0,80} (?:is|are) (?:missing|absent|not there|lacking)|\b(?:lacks|misses|missing|without) (?:a |an |the )?(${KEYWORDS})\b|\bfor (?:a |an |the )missing (${KEYWORDS})\b`,
    'i',
  );
  const [, ...groups] = MISSING.exec(sentence) ?? [];
  const word = groups.find((one) => one !== undefined)?.toLowerCase();
  if (word === undefined) return undefined;
  const [name] = /\bof `?([A-Za-z_$][\w$]*)`?/.exec(sentence)?.slice(1) ?? [];
  const rows = places.flatMap(({ line, text, whole }) =>
    word === 'import' || line === undefined ? whole.split('\n') : [text],
  );
  const isThere = rows.some(
    (row) => has(row, word) && (word !== 'import' || name === undefined || has(row, name)),
  );
  return isThere ? `It says that ${word} is missing where it stands.` : undefined;
};

/** An import or an export of a name that the named file does not have. */
const wrongImport: Check = (sentence, places) => {
  const [, name] = /\bimports? `?([A-Za-z_$][\w$]*)`? from\b/.exec(sentence) ?? [];
  const [into, from] = places;
  if (name !== undefined && into !== undefined && from !== undefined && into.whole !== '') {
    const stem = from.file
      .split('/')
      .at(-1)!
      .replace(/\.\w+$/, '');
    const isThere = into.whole
      .split('\n')
      .some((row) => /\b(?:import|require|from)\b/.test(row) && has(row, name) && row.includes(stem));
    if (!isThere) return `${into.file} does not import ${name} from ${from.file}.`;
  }
  const [, exported] = /\bexport `?([A-Za-z_$][\w$]*)`? (?:from|in)\b/i.exec(sentence) ?? [];
  return exported !== undefined && into !== undefined && into.whole !== '' && !has(into.whole, exported)
    ? `${into.file} has no ${exported}.`
    : undefined;
};

/** A call that no named file makes. */
const wrongCall: Check = (sentence, places) => {
  const readable = places.filter(({ whole }) => whole !== '');
  const CALLED =
    /\bcalls? (?:of |to )`?([A-Za-z_$][\w$]*)|\b([A-Za-z_$][\w$]*)`?(?: (?:in|at) \S+)? (?:is|was|gets) called\b/g;
  const names = [...sentence.matchAll(CALLED)].map(([, of, by]) => (of ?? by)!);
  const wrong = names.find(
    (name) =>
      readable.length > 0 &&
      !readable.some(({ whole }) =>
        new RegExp(String.raw`(?<!function )\b${escapeRegExp(name)}\s*\(`).test(whole),
      ),
  );
  return wrong === undefined ? undefined : `${wrong} is not called there.`;
};

/** Something to take back that the attempt did not change. */
const notChanged: Check = (sentence, places, { input }) => {
  if (
    !/^(?:please |first,? )?(?:undo|revert|restore|roll back|take back)\b/i.test(sentence) ||
    places.length === 0
  )
    return undefined;
  const hunks = parseHunks(input.patch);
  const isChanged = places.some(({ file, line }) =>
    hunks.some(
      (hunk) =>
        hunk.file === file &&
        (line === undefined ||
          (line >= hunk.start && line <= hunk.end && Math.abs(line - hunk.line) <= hunk.added.length)),
    ),
  );
  return isChanged ? undefined : 'It takes back what the attempt did not change.';
};

/** A line of the attempt that its only failing test did not run. */
const notRun: Check = (_, places, { input }) => {
  const { trace, evaluation } = input;
  const failing = new Set(
    evaluation.diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ fingerprint }) => fingerprint),
  );
  if (trace === undefined || failing.size !== 1) return undefined;
  const isMissed = places.some(({ file, line }) =>
    trace.missed.some((one) => one.file === file && one.line === line),
  );
  return isMissed ? 'It names a line that the failing test does not run.' : undefined;
};

/** Code to replace, or a value to change, that is not at the named line. */
const wrongBefore: Check = (sentence, places, { input }) => {
  const [, code] =
    /^(?:change|replace|remove|drop|swap) `([^`]+)`(?: (?:at|in|on) \S+)? (?:with|by|to|into|for)\b/i.exec(
      sentence,
    ) ?? [];
  const [, value] = new RegExp(String.raw`\bfrom (${NUMBER}) to\b`).exec(sentence) ?? [];
  const [place] = places;
  const wanted = code ?? value;
  if (wanted === undefined || place === undefined || place.whole === '' || place.line === undefined)
    return undefined;
  const rows = place.whole.split('\n').slice(Math.max(0, place.line - 3), place.line + 2);
  const changed = parseHunks(input.patch)
    .filter(({ file }) => file === place.file)
    .flatMap(({ removed, added }) => [...removed, ...added]);
  const squeezed = (text: string): string => text.replace(/\s+/g, '');
  return [...rows, ...changed].some((row) => squeezed(row).includes(squeezed(wanted)))
    ? undefined
    : `${wanted} is not at ${place.file}:${place.line}.`;
};

function has(text: string, word: string): boolean {
  return new RegExp(String.raw`(?<![\w$])${escapeRegExp(word)}(?![\w$])`).test(text);
}
