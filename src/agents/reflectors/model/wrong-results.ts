import { codeOf, CODE_SPAN } from '../../../platform/text/code-span.ts';
import type { SeenValue } from '../../../ports/reflection.ts';
import type { AttemptRecord } from './attempt-record.ts';

const SPAN = CODE_SPAN.source;
const NUMBER = String.raw`-?\d[\d_]*(?:\.\d+)?`;
const AT = String.raw`(?: (?:in|at|on) \S+?,?)?`;

type Check = (sentence: string, places: readonly unknown[], record: AttemptRecord) => string | undefined;

/** A result of code that a traced run saw otherwise: `round(raw)` returns 20. */
export const wrongResult: Check = (sentence, _, { input }) => {
  const says = new RegExp(
    String.raw`(?<code>${SPAN})${AT} (?:still |only |always |now )?(?:returns?|gives?|yields?|produces?|computes?|evaluates to|is|was|equals|becomes) (?:still |only |always )?\x60?(?<number>${NUMBER})\x60?(?![\w.]*\d)`,
    'g',
  );
  for (const { groups } of sentence.matchAll(says)) {
    const code = codeOf(groups!['code']!);
    const told = valuesOf(code, input.trace?.values ?? []);
    const number = Number(groups!['number']!.replaceAll('_', ''));
    if (told.length > 0 && !told.some((value) => Number(value) === number))
      return `It says that ${code} gives ${number}, but a traced run had ${told[0]}.`;
  }
  return undefined;
};

/** A condition that is said to be true or false, where a traced run or plain arithmetic says the opposite. */
export const wrongTruth: Check = (sentence, _, { input }) => {
  const says = new RegExp(
    String.raw`(?<code>${SPAN})${AT}(?:,? which)? (?:is|was|are|holds|evaluates to|yields|returns|gives)(?: still| always| only)? ?\x60?(?<truth>true|false)?\x60?(?: (?:for|with|when|if|at)(?: \x60?[A-Za-z_$][\w$.]*\x60? (?:is|=|===|of))? \x60?(?<number>${NUMBER})\x60?)?`,
    'g',
  );
  for (const { groups } of sentence.matchAll(says)) {
    const code = codeOf(groups!['code']!);
    const truth = groups!['truth'];
    if (truth === undefined) continue;
    const computed = comparisonOf(code, groups!['number']);
    const told = computed === undefined ? valuesOf(code, input.trace?.values ?? []) : [String(computed)];
    if (told.length > 0 && told.every((value) => /^(?:true|false)$/.test(value)) && !told.includes(truth))
      return `It says that ${code} is ${truth}, but ${computed === undefined ? 'a traced run had' : 'it is'} ${told[0]}.`;
  }
  return undefined;
};

/** Values of the code in a traced run; none where others lie between the first and the last. */
function valuesOf(code: string, values: readonly SeenValue[]): string[] {
  const squeezed = (text: string): string => text.replace(/\s+/g, '').replace(/;$/, '');
  return values
    .filter((value) => squeezed(value.code) === squeezed(code))
    .flatMap(({ first, last, count, isConstant }) =>
      isConstant || count <= 2 ? [first, last ?? first] : [],
    );
}

const COMPARE: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '===': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '!==': (a, b) => a !== b,
};

/**
 * The truth of a comparison of a name with a number, or of two numbers, where the name has `value`; undefined for other code.
 */
function comparisonOf(code: string, value: string | undefined): boolean | undefined {
  const [, left, sign, right] = /^\s*([\w.$-]+)\s*([<>]=?|[!=]==?)\s*([\w.$-]+)\s*$/.exec(code) ?? [];
  const compare = COMPARE[sign ?? ''];
  if (compare === undefined) return undefined;
  const [a, b] = [left!, right!].map((side) => (isNumber(side) ? Number(side) : undefined));
  if (a !== undefined && b !== undefined) return compare(a, b);
  if (value === undefined || (a === undefined) === (b === undefined)) return undefined;
  const given = Number(value.replaceAll('_', ''));
  return compare(a ?? given, b ?? given);
}

function isNumber(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}
