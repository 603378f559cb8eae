import type { Node } from '@babel/types';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import { endOf, startOf } from '../../repair/syntax/parse.ts';
import { calledName, sitesOf, type Site } from '../../repair/syntax/walk.ts';
import { addedIn, partOf } from './added-parts.ts';
import type { ChangedSource } from './changed-source.ts';
import { fixedIn } from './fixed-questions.ts';
import { innocentIn } from './innocent-questions.ts';
import { isCarefulGuard, isOfMemory, isOfNewPart, isRangeOfLoop } from './needless-questions.ts';
import type { RevertedBlock } from './reverted-blocks.ts';

/** Most questions of a change that are answered otherwise. */
const MAX_QUESTIONS = 12;
const COMPARISON = /^(?:[<>]=?|[!=]==?|in|instanceof)$/;
/** Calls that answer yes or no. */
const ANSWERS = /^(?:includes|startsWith|endsWith|has|hasOwn|some|every|test|equals|is[A-Z]\w*|has[A-Z]\w*)$/;
const LOOPS = /^(?:For|While|DoWhile)Statement$/;
/** What tells who uses an object or a program, and that a change may use for more than a question. */
const STATES = /^(?:isTTY|listenerCount|readableFlowing)$/;

/**
 * The questions that a change asks, each with the edits that answer it always with yes and always with no. Where all checks pass
 * with one of the answers, no test decides what the question is for: the change may be right for what the tests give alone, such
 * as one caller, one moment or the first calls. Left out are innocent questions, those that compare the data of a call with each
 * other, how far loops go, guards that leave with nothing or limit what is taken, and what nobody used before, unless it counts.
 */
export function addedQuestions(sources: readonly ChangedSource[]): RevertedBlock[] {
  return sources.flatMap(questionsIn);
}

function questionsIn(source: ChangedSource): RevertedBlock[] {
  const { text, tree } = source.parsed;
  const isAdded = addedIn(source);
  const isInnocent = innocentIn(source);
  const isFixed = fixedIn(source.parsed);
  const sites = sitesOf(tree.program);
  const wrapping = sites.filter((site) => wrapsOldCall(site, source, isAdded));
  const states = sites.filter(
    (site) =>
      isAdded(site.node) &&
      isState(site.node) &&
      !isPartOfQuestion(site) &&
      !isOfNewPart(site, source, isAdded),
  );
  const questions = sites.filter((site) => {
    if (!isAdded(site.node) || !isQuestion(site) || isInnocent(site.node)) return false;
    if (counts(site.node)) return true;
    if (!isFixed(site.node)) return false;
    const isNeedless =
      isCarefulGuard(site, isInnocent) ||
      isRangeOfLoop(site) ||
      isOfMemory(site, text) ||
      isOfNewPart(site, source, isAdded);
    return !isNeedless;
  });
  const answered = ({ node }: Site, answers: readonly (boolean | undefined)[]): RevertedBlock[] =>
    answers.flatMap((answer): RevertedBlock[] => {
      const [start, end] = [startOf(node), endOf(node)];
      // What the question does, such as counting, is done in any case.
      const replacement = `((${text.slice(start, end)}), ${answer})`;
      const part = partOf(source, { start, end, replacement });
      return part === undefined ? [] : [{ ...part, always: answer === true, ignoresTypes: true }];
    });
  return [
    ...questions.slice(0, MAX_QUESTIONS).flatMap((site) => answered(site, [true, false])),
    ...states.slice(0, MAX_QUESTIONS).flatMap((site) => answered(site, [true, undefined])),
    ...wrapping
      .filter((site) => !questions.includes(site))
      .slice(0, MAX_QUESTIONS)
      .flatMap((site) => answered(site, [false])),
  ];
}

/** `process.stdout.isTTY`, `this.listenerCount('data')`. */
function isState(node: Node): boolean {
  if (node.type === 'CallExpression') return STATES.test(calledName(node.callee) ?? '');
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return false;
  return node.property.type === 'Identifier' && STATES.test(node.property.name);
}

/** Whether a value is a question or part of one, or is called. */
function isPartOfQuestion(site: Site): boolean {
  if (site.key === 'callee') return true;
  for (let at: Site | undefined = site; at !== undefined; at = at.parent) {
    if (isQuestion(at)) return true;
    if (/Statement$|Function/.test(at.node.type)) return false;
  }
  return false;
}

/** Whether a node is the new condition of an `if` without `else` whose statement calls what the base called without it. */
function wrapsOldCall({ node, key, parent }: Site, { blocks }: ChangedSource, isAdded: IsAdded): boolean {
  if (key !== 'test' || parent?.node.type !== 'IfStatement' || parent.node.alternate || !isAdded(node))
    return false;
  const before = blocks.map((block) => block.before.join('\n')).join('\n');
  return sitesOf(parent.node.consequent).some(({ node: own, parent: holder }) => {
    if (own.type !== 'CallExpression' || holder?.node.type !== 'ExpressionStatement') return false;
    const name = calledName(own.callee);
    return name !== undefined && new RegExp(`(?<![\\w$])${escapeRegExp(name)}\\(`).test(before);
  });
}

type IsAdded = (node: Node) => boolean;

/** Whether a node answers yes or no, by what it is or by where it stands. */
function isQuestion({ node, key, parent }: Site): boolean {
  if (parent === undefined || LOOPS.test(parent.node.type)) return false;
  if (/^(?:Paren|TS|Boolean|Logical)/.test(node.type)) return false;
  if (node.type === 'UnaryExpression' && node.operator === '!') return false;
  if (node.type === 'BinaryExpression' && COMPARISON.test(node.operator)) return true;
  if (node.type === 'CallExpression' || node.type === 'OptionalCallExpression')
    if (ANSWERS.test(calledName(node.callee) ?? '')) return true;
  const isTest = key === 'test' && /^(?:If|Conditional)/.test(parent.node.type);
  return isTest || (parent.node.type === 'UnaryExpression' && parent.node.operator === '!');
}

/** Whether asking changes what the next one is told. */
function counts(node: Node): boolean {
  return sitesOf(node).some(({ node: own }) => /^(?:Update|Assignment)Expression$/.test(own.type));
}
