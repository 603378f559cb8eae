import type { ListItem, Nodes, Parents } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item';
import { criteriaIn } from './written-criteria.ts';
import type { TaskFile, TaskItem, TextEdit } from './task-item.ts';

/** A checkbox of the list. Offsets are UTF-16 units in the file's text. */
interface Box {
  readonly item: ListItem;
  /** Offset of the character between the brackets. */
  readonly offset: number;
  readonly checked: boolean;
  /** The box of the enclosing item. */
  readonly parent: Box | undefined;
  readonly children: Box[];
}

interface Leaf extends TaskItem {
  readonly box: Box;
}

/**
 * Parses the task list items of a Markdown text (GitHub Flavored Markdown, "Task list items"), in their order. An item with
 * task list items below it is not a task but their heading: its text is part of each of them, and it is ticked with the
 * last one.
 */
export function parseChecklist(text: string): TaskFile {
  const leaves = withKeys(
    boxesOf(text)
      .filter(({ children }) => children.length === 0)
      .map((box) => ({
        box,
        title: titleOf(text, box),
        text: taskText(text, box),
        criteria: criteriaIn(taskText(text, box)),
        done: box.checked,
      })),
  );
  return {
    format: 'checklist',
    items: leaves.map(({ key, title, text: body, criteria, done }) => ({
      key,
      title,
      text: body,
      criteria,
      done,
    })),
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
            addBox(boxes, this.stack, { offset: start.offset, checked: false });
          },
          taskListCheckValueChecked({ start }) {
            addBox(boxes, this.stack, { offset: start.offset, checked: true });
          },
        },
      },
    ],
  });
  return inOrder(tree).flatMap((node) => (node.type === 'listItem' ? (boxes.get(node) ?? []) : []));
}

/** Adds a box for the innermost list item of the stack. */
function addBox(
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

/** A node and all nodes below it, in the order of the text. */
function inOrder(node: Nodes): Nodes[] {
  return [node, ...('children' in node ? (node as Parents).children.flatMap(inOrder) : [])];
}

/** Edits that tick the box and, if it was the last open one of its heading, the heading's box. */
function ticks(box: Box | undefined): TextEdit[] {
  if (box === undefined) return [];
  const own = box.checked ? [] : [{ offset: box.offset, length: 1, text: 'x' }];
  const { parent } = box;
  const isLast = parent?.children.every((child) => child === box || child.checked) ?? false;
  return isLast ? [...own, ...ticks(parent)] : own;
}

/** The first line of an item after its box. */
function titleOf(text: string, { item, offset }: Box): string {
  const end = Math.min(endOf(item), lineEnd(text, offset));
  return text.slice(offset + 2, end).trim();
}

/** The headings above an item, and the item without its indentation. */
function taskText(text: string, box: Box): string {
  const headings: string[] = [];
  for (let outer = box.parent; outer !== undefined; outer = outer.parent)
    headings.unshift(headingOf(text, outer));
  return [...headings, bodyOf(text, box, endOf(box.item))].join('\n\n');
}

/** Text of a heading, without the tasks below it. */
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
  return [first.trim(), ...rest.map((line) => outdent(line, indentation))].join('\n').trim();
}

function outdent(line: string, columns: number): string {
  const blank = /^[ \t]*/.exec(line)![0];
  return line.slice(blank.startsWith('\t') ? 1 : Math.min(columns, blank.length)).trimEnd();
}

/** Adds a unique key: the text, followed by a number if the same text occurs again. */
function withKeys(leaves: readonly Omit<Leaf, 'key'>[]): Leaf[] {
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
