import { CODE_SPAN } from '../../platform/text/code-span.ts';
import { sentencesOf } from '../../platform/text/sentences.ts';
import { dangerIn } from '../../platform/redaction/unsafe-text.ts';
import { isOfLanguage, namesOfCode } from './code.ts';
import { placeProblem, textOf, nearOf, codesProblem, hasPart, numberProblem } from './look-up.ts';
import { isConstant, testedLiteral } from './tested-values.ts';
import { parse, QUOTED, type Parsed } from './sentence.ts';
import type { AdviceTree } from './tree.ts';
import { formsOf, isJudging, isPlain, isStating, OBSERVING_VERBS, VERBS } from './words.ts';

/** Advice that may be kept, without what it says beside the advice, or why nothing of it may. */
export type Allowed =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** Characters of the longest advice that is kept. */
const MOST_CHARS = 400;
/** A clause in front of the verb: where or when. */
const LEAD =
  /^(?:in|at|inside|within|on|for|before|after|when|whenever|if|where|while|once|unless|instead of|with)\b[^,:]*[,:] */i;
const OPENING = /^(?:please|then,?|next,?|first,?|finally,?|also,?) /i;
const AUXILIARY =
  /^(?:has|have|had|is|are|was|were|be|been|does|did|can|could|will|would|must|should|may|might)$/;
/** Words that refer to something, which must then stand in front of them. */
const BACK = /\b(?:it|its|itself|they|them|their)\b/i;
/** The same as the thing that the verb acts on: what it is stands in another sentence. */
const BACK_OBJECT = /^\S+ (?:it|them|itself|they)\b/i;
/** Words that show to something outside of the sentence. */
const SHOWS =
  /\b(?:this|these|those|there|such|same|above|below|here|another|former|latter|that (?:line|file|function|place|condition|call|value|one|way|part|loop|code))\b/i;
/** Code that is not to be chosen, beside the one that is. */
const CONTRAST = /, (?:and )?never \u00a7C\d+ $/;
/** A test that an observation is to be made in: the name is a text of the test's. */
const IN_TEST = / (?:while|when|for|during|in) (?:the |this |that |each |a )?(?:failing )?tests?\b.*$/i;

/**
 * The one gate for advice of a model or a program. Kept is a single imperative sentence of plain English that names something of
 * the product's code, of which every file, line, name, number and quotation is looked up, and which writes no answer for a
 * tested value. Whatever is not shown to be of this kind is refused, in every language.
 */
export function allowedAdvice(advice: string, tree: AdviceTree): Allowed {
  const given = advice
    .trim()
    .replace(/^[-*\u2022]\s+/, '')
    .replace(/[\s.]+$/, '');
  if (given === '' || given.length > MOST_CHARS) return no('It is no short sentence.');
  const danger = dangerIn(given);
  if (danger !== undefined) return no(danger);
  if (sentencesOf(given).length !== 1 || /[;!?]/.test(unquoted(given)))
    return no('It is more than one sentence.');
  const { masked: whole, ...parts } = parse(given, tree);
  const verb = verbOf(whole);
  if (verb === undefined) return no('It does not begin with a verb of editing or reading code.');
  const isObserving = OBSERVING_VERBS.has(verb);
  const masked = isObserving ? whole.replace(IN_TEST, '') : whole;
  const parsed = { masked, ...parts };
  const problem =
    wordProblem(parsed, tree) ??
    referenceProblem(masked) ??
    placeProblem(parsed, tree) ??
    codesProblem(parsed, tree) ??
    numberProblem(parsed, tree) ??
    wholeFileProblem(masked) ??
    languageProblem(parsed) ??
    (isObserving ? undefined : answerProblem(parsed, tree));
  if (problem !== undefined) return no(problem);
  if (!namesProduct(parsed, tree)) return no('It names nothing in the code of the product.');
  return { ok: true, text: masked === whole ? given : given.replace(IN_TEST, '') };
}

/** Why a statement about the code is not understood; undefined where its words, places and code are known. */
export function statementWordsProblem(statement: string, tree: AdviceTree): string | undefined {
  const parsed = parse(statement.trim().replace(/[\s.]+$/, ''), tree);
  return wordProblem(parsed, tree, true) ?? placeProblem(parsed, tree);
}

function no(reason: string): Allowed {
  return { ok: false, reason };
}

function unquoted(text: string): string {
  return text.replace(new RegExp(CODE_SPAN.source, 'g'), 'X').replace(QUOTED, 'X');
}

function verbOf(masked: string): string | undefined {
  const rest = withoutLead(masked);
  const [word, next = ''] = rest.toLowerCase().match(/^[a-z]+|(?<=^[a-z]+ )[a-z]+/g) ?? [];
  // "split has been right", "filter drops the last one": a name of the code, and what is said of it.
  const isStated =
    AUXILIARY.test(next) ||
    (next.endsWith('s') && formsOf(next).some((form) => form !== next && VERBS.has(form)));
  return word !== undefined && VERBS.has(word) && !isStated ? word : undefined;
}

function withoutLead(masked: string): string {
  return masked.replace(OPENING, '').replace(LEAD, '').replace(LEAD, '').replace(OPENING, '');
}

function wordProblem({ masked, places }: Parsed, tree: AdviceTree, isStatement = false): string | undefined {
  const files = places.length > 0 ? places.map(({ file }) => file) : tree.files;
  const own = domainWords(files.flatMap((file) => tree.codeOf(file)).join('\n'));
  const bare = masked.replace(CONTRAST, ' ').replace(/\u00a7[CP]\d+ ?/g, ' ');
  const [sign] = /[^\x20-\x7e\u2018\u2019\u2026]/.exec(bare) ?? [];
  if (sign !== undefined) return `It has the sign ${sign}, which plain English has not.`;
  const [mark] = /[^\w\s,.:'()\u2018\u2019\u2026-]/.exec(bare) ?? [];
  if (mark !== undefined) return `It has ${mark} outside of code.`;
  const words = bare.toLowerCase().match(/[a-z]+(?:-[a-z]+)*/g) ?? [];
  const unknown = words.find((word) => {
    if (isStatement && isStating(word)) return false;
    if (isJudging(word)) return true;
    if (isPlain(word) || formsOf(word).some((form) => own.has(form))) return false;
    return !word.includes('-') || !word.split('-').every((part) => isPlain(part) || own.has(part));
  });
  return unknown === undefined
    ? undefined
    : `It speaks of "${unknown}", which is neither plain advice on code nor a word of it.`;
}

/** The words that the names of code consist of, without comments and texts. */
function domainWords(code: string): ReadonlySet<string> {
  const bare = code.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ').replace(/'[^'\n]*'|"[^"\n]*"/g, ' ');
  const names = bare.match(/[A-Za-z_$][\w$]*/g) ?? [];
  const words = names.flatMap((name) => name.split(/_|\$|\d+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/));
  const parts = words.filter((word) => word.length > 2);
  return new Set(
    [...names, ...parts].filter((word) => !isOfLanguage(word)).map((word) => word.toLowerCase()),
  );
}

function referenceProblem(masked: string): string | undefined {
  const [shown] = SHOWS.exec(masked) ?? [];
  if (shown !== undefined) return `"${shown}" refers to another sentence.`;
  if (BACK_OBJECT.test(withoutLead(masked))) return 'What it acts on stands in another sentence.';
  const back = BACK.exec(masked);
  if (back === null) return undefined;
  const before = withoutLead(masked.slice(0, back.index));
  const isNamed =
    masked.slice(0, back.index).includes('\u00a7C') ||
    (/^the/i.test(back[0]) && /^\S+ .*[a-z]s\b/i.test(before));
  return isNamed ? undefined : `"${back[0]}" refers to another sentence.`;
}

/** What belongs to the language cannot be changed. */
function languageProblem({ masked, codes }: Parsed): string | undefined {
  const [, at] =
    /^(?:make|let|have|redefine|define|update|wrap|extend|set|assign|fix) \u00a7C(\d+) /i.exec(
      withoutLead(masked),
    ) ?? [];
  const names = at === undefined ? [] : namesOfCode(codes[Number(at)]!);
  return names.length > 0 && names.every(isOfLanguage)
    ? 'It changes what belongs to the language.'
    : undefined;
}

/** Advice to take away, move or write a file as a whole, or a name without what it is to become. */
function wholeFileProblem(masked: string): string | undefined {
  const rest = withoutLead(masked);
  if (
    /^(?:remove|drop|clear|omit|move|rename|replace|reset|reverse|restore|rewrite|empty|copy|return|skip|exclude|strip|use) (?:(?:all|the|of|whole|code|body|text|file|everything|rest|lines?) )*(?:in |from |at )?\u00a7P/i.test(
      rest,
    )
  )
    return 'It takes a file as a whole.';
  if (
    /^(?:replace|change|swap|substitute|rename|convert|turn)\b/i.test(rest) &&
    !/\b(?:with|by|to|into|for|and|from)\b/i.test(rest)
  )
    return 'It does not say what the code is to become.';
  return undefined;
}

/** Code to write that answers for a tested value, or gives a constant without a condition. */
function answerProblem(parsed: Parsed, tree: AdviceTree): string | undefined {
  const near = nearOf(parsed, tree);
  for (const code of parsed.codes) {
    const literal = testedLiteral(code, { judged: tree.judged, near });
    if (literal !== undefined) return `It writes ${literal}, which a failing test has, as a constant.`;
  }
  const rest = withoutLead(parsed.masked);
  const spoken = parsed.masked.replace(/\u00a7[CP]\d+ ?/g, ' ');
  const hasCondition =
    /\b(?:if|when|whenever|unless|where|for|before|after|until|while|once|as|default|instead|start|with)\b/i.test(
      parsed.masked,
    );
  const gives = /^(?:return|make|let|give|yield|write|throw|put)\b/i.test(rest);
  const constant =
    parsed.codes.some(isConstant) ||
    /\b(?:return|answer|give|yield)s? (?:[012]|true|false|null|undefined|zero|one)\b/i.test(rest);
  if (gives && testedLiteral(spoken, { judged: tree.judged, near: '' }) !== undefined)
    return 'It gives an answer for a tested value.';
  return gives && constant && !hasCondition ? 'It gives a constant in every case.' : undefined;
}

function namesProduct({ places, codes }: Parsed, tree: AdviceTree): boolean {
  if (places.length > 0) return true;
  const text = textOf({ places }, tree);
  return codes.some((code) => namesOfCode(code).some((name) => !isOfLanguage(name) && hasPart(text, name)));
}
