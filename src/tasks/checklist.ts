import type { ListItem, Nodes, Parents } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item';
import type { TaskFile, TaskItem, TextEdit } from './task-item.ts';

/** A checkbox of the list. Offsets are UTF-16 units in the file's text. */
interface Box {
  readonly item: ListItem;
  /** Of the character between the brackets. */
  readonly offset: number;
  readonly checked: boolean;
  /** The box whose item this one lies in. */
  readonly parent: Box | undefined;
  readonly children: Box[];
}

interface Leaf extends TaskItem {
  readonly box: Box;
}

/**
 * The task list items of a Markdown text (GitHub Flavored Markdown, "Task list items"), in its order. An item with
 * task list items below it is no task but their heading: it is told with each of them, and is ticked with the last.
 */
export function parseChecklist(text: string): TaskFile {
  const leaves = keyed(
    boxesOf(text)
      .filter(({ children }) => children.length === 0)
      .map((box) => ({
        box,
        title: titleOf(text, box),
        text: textOf(text, box),
        done: box.checked,
      })),
  );
  return {
    format: 'checklist',
    items: leaves.map(({ key, title, text: asked, done }) => ({ key, title, text: asked, done })),
    tick: (key) => ticks(leaves.find((leaf) => leaf.key === key)?.box),
  };
}

function boxesOf(text: string): Box[] {
  const boxes = new Map<ListItem, Box>();
  const tree = fromMarkdown(text, {
    extensions: [gfmTaskListItem()],
    mdastExtensions: [
      {
        exit: {
          taskListCheckValueUnchecked({ start }) {
            note(boxes, this.stack, { offset: start.offset, checked: false });
          },
          taskListCheckValueChecked({ start }) {
            note(boxes, this.stack, { offset: start.offset, checked: true });
          },
        },
      },
    ],
  });
  return inOrder(tree).flatMap((node) => (node.type === 'listItem' ? (boxes.get(node) ?? []) : []));
}

function note(
  boxes: Map<ListItem, Box>,
  stack: readonly { readonly type: string }[],
  found: Pick<Box, 'offset' | 'checked'>,
): void {
  const items = stack.filter((node): node is ListItem => node.type === 'listItem');
  const item = items.at(-1);
  if (item === undefined) return;
  const parent = items
    .slice(0, -1)
    .map((outer) => boxes.get(outer))
    .findLast((box) => box !== undefined);
  const box = { item, ...found, parent, children: [] };
  boxes.set(item, box);
  parent?.children.push(box);
}

function inOrder(node: Nodes): Nodes[] {
  return [node, ...('children' in node ? (node as Parents).children.flatMap(inOrder) : [])];
}

/** The box and, where it was the last open one of an item, that item's own. */
function ticks(box: Box | undefined): TextEdit[] {
  if (box === undefined) return [];
  const own = box.checked ? [] : [{ offset: box.offset, length: 1, text: 'x' }];
  const { parent } = box;
  const isLast = parent?.children.every((child) => child === box || child.checked) ?? false;
  return isLast ? [...own, ...ticks(parent)] : own;
}

/** What stands behind the brackets, up to the end of the item or of its first line. */
function titleOf(text: string, { item, offset }: Box): string {
  const end = Math.min(endOf(item), lineEnd(text, offset));
  return text.slice(offset + 2, end).trim();
}

/** The headings that it lies under, and the item itself with its indentation taken off. */
function textOf(text: string, box: Box): string {
  const headings: string[] = [];
  for (let outer = box.parent; outer !== undefined; outer = outer.parent)
    headings.unshift(headingOf(text, outer));
  return [...headings, bodyOf(text, box, endOf(box.item))].join('\n\n');
}

/** An item's own words, without the tasks below it. */
function headingOf(text: string, box: Box): string {
  const lists = box.item.children.filter(
    (child) =>
      child.type === 'list' &&
      child.children.some((item) => box.children.some((inner) => inner.item === item)),
  );
  return bodyOf(text, box, lists[0]?.position?.start.offset ?? endOf(box.item));
}

function bodyOf(text: string, { item, offset }: Box, end: number): string {
  const indentation = (item.children[0]?.position?.start.column ?? 1) - 1;
  const [first = '', ...rest] = text.slice(offset + 2, end).split(/\r\n|\n|\r/);
  return [first.trim(), ...rest.map((line) => outdented(line, indentation))].join('\n').trim();
}

function outdented(line: string, columns: number): string {
  const blank = /^[ \t]*/.exec(line)![0];
  return line.slice(blank.startsWith('\t') ? 1 : Math.min(columns, blank.length)).trimEnd();
}

/** The same words twice are two tasks: the first, the second. */
function keyed(leaves: readonly Omit<Leaf, 'key'>[]): Leaf[] {
  const seen = new Map<string, number>();
  return leaves.map((leaf) => {
    const words = leaf.text.replace(/\s+/g, ' ');
    const count = (seen.get(words) ?? 0) + 1;
    seen.set(words, count);
    return { ...leaf, key: count === 1 ? words : `${words} (${count})` };
  });
}

function endOf({ position }: ListItem): number {
  return position?.end.offset ?? 0;
}

function lineEnd(text: string, from: number): number {
  const at = text.slice(from).search(/[\r\n]/);
  return at < 0 ? text.length : from + at;
}
