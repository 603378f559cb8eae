import {
  parse,
  type ArrayNode,
  type ElementNode,
  type MemberNode,
  type ObjectNode,
  type ValueNode,
} from '@humanwhocodes/momoa';

/** A clause that says why a text cannot be edited. */
export class NotEditable extends Error {}

/**
 * Adds a value to the end of the array at `path`, which is created where it is missing. Comments and everything else stay as
 * they are. Throws NotEditable for text that is not a JSON object, or has something else in the way.
 */
export function addToArray(text: string, path: readonly string[], value: unknown): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return BYTE_ORDER_MARK + addToArray(text.slice(1), path, value);
  const [name, ...rest] = path;
  const root = rootOf(text);
  return insert(text, { container: root, depth: 1 }, { name: name!, rest, value });
}

/** Removes the elements of the array at `path` for which `isOurs` holds, and what is empty then. Comments stay. */
export function removeFromArray(
  text: string,
  path: readonly string[],
  isOurs: (value: string) => boolean,
): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return BYTE_ORDER_MARK + removeFromArray(text.slice(1), path, isOurs);
  let result = text;
  for (;;) {
    const found = locate(rootOf(result), path);
    if (found === undefined || found.array.type !== 'Array') return result;
    const { elements } = found.array;
    const ours = elements.find(({ value }) => isOurs(sourceOf(result, value)));
    if (ours === undefined) return result;
    // The outermost object or array that would be empty goes as a whole.
    const emptied =
      elements.length > 1
        ? undefined
        : found.members.findLast(({ owner }, at) => owner.members.length > 1 || at === 0);
    result =
      emptied === undefined
        ? cutOut(result, ours, elements)
        : cutOut(result, emptied.member, emptied.owner.members);
  }
}

/** Some editors write it; it is no part of the JSON. */
const BYTE_ORDER_MARK = '\ufeff';

const MODE = { mode: 'jsonc', ranges: true, allowTrailingCommas: true } as const;
const INDENT = '  ';

function rootOf(text: string): ObjectNode {
  let body: ValueNode;
  try {
    ({ body } = parse(text, MODE));
  } catch (error) {
    throw new NotEditable(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (body.type !== 'Object') throw new NotEditable('it is not a JSON object');
  return body;
}

interface Place {
  readonly container: ObjectNode;
  /** Depth of the container's members. */
  readonly depth: number;
}

interface Insertion {
  readonly name: string;
  readonly rest: readonly string[];
  readonly value: unknown;
}

function insert(text: string, { container, depth }: Place, { name, rest, value }: Insertion): string {
  // Where a name stands twice, programs read the last member of it.
  const member = container.members.findLast((one) => keyOf(one) === name);
  if (member === undefined) {
    const inner = rest.reduceRight<unknown>((made, key) => ({ [key]: made }), [value]);
    return append(text, container, {
      items: container.members,
      rendered: `${JSON.stringify(name)}: ${rendered(inner, depth)}`,
      depth,
    });
  }
  const [next, ...after] = rest;
  if (next === undefined) {
    if (member.value.type !== 'Array') throw new NotEditable(`its "${name}" is not a list`);
    const { elements } = member.value;
    return append(text, member.value, {
      items: elements,
      rendered: rendered(value, depth + 1),
      depth: depth + 1,
    });
  }
  if (member.value.type !== 'Object') throw new NotEditable(`its "${name}" is not an object`);
  return insert(text, { container: member.value, depth: depth + 1 }, { name: next, rest: after, value });
}

interface Appended {
  readonly items: readonly (MemberNode | ElementNode)[];
  readonly rendered: string;
  readonly depth: number;
}

function append(
  text: string,
  container: ObjectNode | ArrayNode,
  { items, rendered: made, depth }: Appended,
): string {
  const last = items.at(-1);
  const line = `\n${INDENT.repeat(depth)}${made}`;
  const [start, end] = rangeOf(container);
  if (last === undefined) {
    const inside = text.slice(start + 1, end - 1).trimEnd();
    return `${text.slice(0, start + 1)}${inside}${line}\n${INDENT.repeat(depth - 1)}${text.slice(end - 1)}`;
  }
  const [, at] = rangeOf(last);
  const comma = commaAfter(text, at);
  const from = comma ?? at;
  return `${text.slice(0, from)}${comma === undefined ? ',' : ''}${line}${comma === undefined ? '' : ','}${text.slice(from)}`;
}

function rendered(value: unknown, depth: number): string {
  return JSON.stringify(value, null, INDENT.length).replaceAll('\n', `\n${INDENT.repeat(depth)}`);
}

/** Offset behind the comma that follows, past white space and comments; undefined if there is none. */
function commaAfter(text: string, from: number): number | undefined {
  const between = /^(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*,/.exec(text.slice(from));
  return between === null ? undefined : from + between[0].length;
}

/** The text without an item, its comma and the white space before it. */
function cutOut(
  text: string,
  item: MemberNode | ElementNode,
  items: readonly (MemberNode | ElementNode)[],
): string {
  const [start, end] = rangeOf(item);
  const before = text.slice(0, start).trimEnd();
  const comma = commaAfter(text, end);
  if (comma !== undefined) return before + text.slice(comma);
  const isOnly = items.length === 1;
  return (isOnly ? before : before.replace(/,$/, '')) + text.slice(end);
}

interface Located {
  readonly array: ValueNode;
  /** The members on the way, from the outside in, each with the object that has it. */
  readonly members: readonly { readonly owner: ObjectNode; readonly member: MemberNode }[];
}

function locate(root: ObjectNode, path: readonly string[]): Located | undefined {
  const members: { owner: ObjectNode; member: MemberNode }[] = [];
  let at: ValueNode = root;
  for (const name of path) {
    if (at.type !== 'Object') return undefined;
    const owner: ObjectNode = at;
    const member = owner.members.findLast((one) => keyOf(one) === name);
    if (member === undefined) return undefined;
    members.push({ owner, member });
    at = member.value;
  }
  return { array: at, members };
}

function keyOf({ name }: MemberNode): string {
  return name.type === 'String' ? name.value : name.name;
}

function sourceOf(text: string, node: ValueNode): string {
  return text.slice(...rangeOf(node));
}

/** Elements of an array have no range of their own. */
function rangeOf(node: ValueNode | MemberNode | ElementNode): [number, number] {
  return (node.type === 'Element' ? node.value : node).range!;
}
