import type { Node } from '@babel/types';
import { applyEdits, type Candidate, type TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, parseSource, startOf, type ParsedSource } from '../../repair/syntax/parse.ts';
import { isStatement, sitesOf, type Site } from '../../repair/syntax/walk.ts';
import { withImports } from './changed-imports.ts';
import { baseOf, changesCode, revertOf, type ChangedSource } from './changed-source.ts';
import { differences, MAX_WORDS, wordsOf, type Difference, type Word } from './changed-words.ts';
import type { RevertedBlock } from './reverted-blocks.ts';

/** Most items of a change that are put back. */
const MAX_ITEMS = 8;

/**
 * The items that a change takes out of code which it keeps otherwise, each with the edit that puts it back: a statement, a
 * property, an operand, a call of a chain, an `await`. Blocks that only remove are left out: they are tried whole.
 */
export function removedItems(sources: readonly ChangedSource[]): RevertedBlock[] {
  return sources
    .flatMap((source) =>
      source.blocks.flatMap((block) =>
        block.lines === 0
          ? []
          : putBacks(source.parsed, baseOf(source), revertOf(source, block)).map(
              ({ edit: own, text }): RevertedBlock => {
                const edit = { ...own, file: source.file };
                const line = source.parsed.text.slice(0, edit.start).split('\n').length;
                const signature = `${source.file}: removed at ${edit.start}`;
                const edits = withImports(source, edit);
                const candidate: Candidate = { edits, operator: 'revert', line, signature, prior: 1 };
                return {
                  source,
                  block: { file: source.file, line, lines: 0, before: [text] },
                  edit,
                  removed: text,
                  candidate,
                };
              },
            ),
      ),
    )
    .slice(0, MAX_ITEMS);
}

interface PutBack {
  readonly edit: TextEdit;
  /** What the change takes out. */
  readonly text: string;
}

function putBacks(parsed: ParsedSource, base: string, { start, end, replacement }: TextEdit): PutBack[] {
  const [before, after] = [wordsOf(replacement), wordsOf(parsed.text.slice(start, end))];
  if (before.length > MAX_WORDS || after.length > MAX_WORDS) return [];
  const removed = [...differences(before, after), ...fromTheEnd(before, after)].filter(
    ([from, to]) => from === to,
  );
  const seen = new Set<number>();
  return removed.flatMap(([from, , wasFrom, wasTo]) => {
    if (seen.has(wasFrom)) return [];
    const text = replacement.slice(before[wasFrom]!.at, before[wasTo - 1]!.end);
    if (isMoved(text, base, parsed.text)) return [];
    const at = start + (after[from - 1]?.end ?? 0);
    const edit = { start: at, end: at, replacement: ` ${text} ` };
    if (!isItem(parsed, edit, text) || isImplied(parsed.text.slice(0, at), text)) return [];
    for (let word = wasFrom; word < wasTo; word++) seen.add(word);
    return [{ edit, text }];
  });
}

/** Whether `a || ` is taken out behind `a ||=`, which asks the same. `before`: the code in front of it. */
function isImplied(before: string, text: string): boolean {
  const [, target, operator] = /([\w$.[\]]+)\s*(\|\||&&|\?\?)=\s*$/.exec(before) ?? [];
  return target !== undefined && spaceless(text) === `${target}${operator}`;
}

/** The differences where equal words are found from the end: of two brackets in a row, the other one is taken out. */
function fromTheEnd(before: readonly Word[], after: readonly Word[]): Difference[] {
  const [was, now] = [before.length, after.length];
  return differences([...before].reverse(), [...after].reverse()).map(([from, to, wasFrom, wasTo]) => [
    now - to,
    now - from,
    was - wasTo,
    was - wasFrom,
  ]);
}

/** Whether a declaration stands in another place of the file now, or a statement as often as before. */
function isMoved(text: string, before: string, now: string): boolean {
  const plain = spaceless(text);
  const countIn = (whole: string): number => spaceless(whole).split(plain).length - 1;
  if (/^(const|let|var|function|class|async function)\b/.test(text)) return countIn(now) > 0;
  return /^[\w$][^;]*;$/.test(text) && countIn(now) >= countIn(before);
}

function spaceless(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

const CALLS = new Set(['CallExpression', 'OptionalCallExpression', 'MemberExpression']);
const OPERATOR = /^(,|&&|\|\||\?\?)|(,|&&|\|\||\?\?)$/;

/** Whether a text, put back where the change took it out, is a whole item there. */
function isItem(parsed: ParsedSource, edit: TextEdit, text: string): boolean {
  const reverted = parseSource(parsed.file, applyEdits(parsed.text, [edit]));
  if ('problem' in reverted || reverted.errors.length > parsed.errors.length) return false;
  if (!changesCode(parsed, [{ ...edit, file: parsed.file }])) return false;
  if (text === 'await') return true;
  const start = edit.start + 1;
  const end = start + text.length;
  const sites = sitesOf(reverted.tree.program);
  if (text.startsWith('.')) return sites.some(({ node }) => CALLS.has(node.type) && endOf(node) === end);
  const bare = text.replace(OPERATOR, '').trim();
  const own = start + text.indexOf(bare);
  return sites.some((site) => isWhole(site, own, own + bare.length, bare !== text));
}

/** Lists in which one more item may change nothing: an unused name, or an argument that no parameter takes. */
const NAMES = /^(params|arguments|declarations|specifiers)$/;

function isWhole(
  { node, key, index, parent }: Site,
  start: number,
  end: number,
  hasOperator: boolean,
): boolean {
  if (startOf(node) !== start || endOf(node) !== end || NAMES.test(key)) return false;
  if (isUnreached(parent?.node, key, index)) return false;
  return hasOperator ? index >= 0 || isOperand(parent?.node) : isStatement(node) || index >= 0;
}

/** Whether the statement before leaves the block: what is put back after it never runs. */
function isUnreached(parent: Node | undefined, key: string, index: number): boolean {
  if (parent === undefined || index < 1) return false;
  const list: unknown = Reflect.get(parent, key);
  const before = Array.isArray(list) ? (list[index - 1] as Node | null) : null;
  return /^(?:Return|Throw|Break|Continue)Statement$/.test(before?.type ?? '');
}

function isOperand(node: Node | undefined): boolean {
  return node?.type === 'LogicalExpression';
}
