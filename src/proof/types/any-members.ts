import { join } from 'node:path';
import type { Node } from '@babel/types';
import type { Check } from '../../ports.ts';
import { textOf } from '../../platform/files/text-of.ts';
import { applyEdits, type TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, parseSource, startOf, type ParsedSource } from '../../repair/syntax/parse.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import type { Diagnostic } from '../../schema/generated.ts';
import { walk } from '../acceptance/syntax.ts';
import type { DeclaringFiles } from './ambient-members.ts';

/** A place of a declared type that accepts everything. */
interface OpenPlace {
  /** Source text of the place: `title: any`, `Record<string, any>`. */
  readonly text: string;
  /** Takes the member away, or names no type in its place. */
  readonly edit: TextEdit;
}

/**
 * A sentence on a problem of the type checker that is only hidden by `any` in a type that a change declares: by a new member, in an
 * interface that a `declare module` adds to as well, or by what an interface newly extends. Without it the checker reports the
 * problem again, in whatever file it was. Undefined if there is none. `before` are the base's problems of this check.
 */
export async function findAnyMember(
  check: Check,
  { request, sources, data, baseText }: DeclaringFiles,
  before: readonly Diagnostic[],
): Promise<string | undefined> {
  if (before.length === 0) return undefined;
  const opened = new Map<string, readonly OpenPlace[]>();
  const closed = new Map<string, string>();
  for (const file of [...sources, ...data].filter((it) => /\.[cm]?tsx?$/.test(it))) {
    const text = textOf(join(request.root, file));
    const places = /\bany\b/.test(text) ? addedPlaces(file, text, (await baseText(file)) ?? '') : [];
    if (places.length === 0) continue;
    opened.set(file, places);
    closed.set(
      file,
      applyEdits(
        text,
        places.map(({ edit }) => edit),
      ),
    );
  }
  if (opened.size === 0 || request.signal.aborted) return undefined;
  const { diagnostics } = await withTexts(request.root, closed, () => check.run({ ...request, fresh: true }));
  const hidden = diagnostics.find((it) => before.some((then) => isSame(it, then)));
  const [found] = opened;
  return hidden && found && describe(found[0], found[1][0]!.text, hidden);
}

/** The same problem whatever the types are called, or at its line the one that a value of no known type makes. */
function isSame(now: Diagnostic, then: Diagnostic): boolean {
  if (now.file !== then.file) return false;
  const [own, other] = [now, then].map(({ message }) => message.replaceAll(/\btype '[^']*'/g, 'type'));
  return own === other || (now.line === then.line && /'unknown'/.test(now.message));
}

function describe(file: string, text: string, { file: where = '', message }: Diagnostic): string {
  return `"${text.slice(0, 100)}" in ${file} hides a problem of the type checker: without it the checker says of ${where} "${message.slice(0, 200)}". Name the type of the value; if it is meant, --allow ${file} permits it.`;
}

function addedPlaces(file: string, text: string, base: string): OpenPlace[] {
  const [now, then] = [parseSource(file, text), parseSource(file, base)];
  if ('problem' in now || 'problem' in then) return [];
  const known = new Set(placesIn(then).map(keyOf));
  const added = placesIn(now).filter((it) => !known.has(keyOf(it)));
  return added.toSorted((a, b) => a.edit.start - b.edit.start);
}

function keyOf({ text }: OpenPlace): string {
  return text.replaceAll(/\s+/g, '');
}

/** Members that are declared as `any`, and every other `any` of a declared type. */
function placesIn({ tree, text }: ParsedSource): OpenPlace[] {
  const places: OpenPlace[] = [];
  walk(tree.program, (node, parents) => {
    if (node.type !== 'TSAnyKeyword') return;
    const owner = parents.findLastIndex(isDeclared);
    if (owner < 0 || isInCode(parents.slice(owner))) return;
    const { part, replacement } = partOf(node, parents.slice(owner));
    const [start, end] = [startOf(part), endOf(part)];
    if (places.some(({ edit }) => edit.start === start)) return;
    places.push({ text: text.slice(start, end).replace(/[;,]$/, ''), edit: { start, end, replacement } });
  });
  return places;
}

function isDeclared({ type }: Node): boolean {
  return type === 'TSInterfaceDeclaration' || type === 'TSTypeAliasDeclaration' || type === 'ClassBody';
}

/** Whether a place of a class belongs to its code: all but the annotation of a property. */
function isInCode([owner, member, annotation]: readonly Node[]): boolean {
  if (owner?.type !== 'ClassBody' || member?.type === 'TSIndexSignature') return false;
  return member?.type !== 'ClassProperty' || annotation?.type !== 'TSTypeAnnotation';
}

/** The smallest part of a declaration that can go, and what says nothing in its place. */
function partOf(node: Node, [owner, ...within]: readonly Node[]): { part: Node; replacement: string } {
  const member = within.findLast(isMember);
  if (member !== undefined) return { part: member, replacement: '' };
  const [first = node] = within;
  if (owner?.type === 'TSInterfaceDeclaration') return { part: first, replacement: 'Object' };
  const isJoined = first.type === 'TSIntersectionType';
  return { part: isJoined ? (within[1] ?? node) : node, replacement: 'unknown' };
}

function isMember({ type }: Node): boolean {
  return /^(?:TS(?:Property|Method|Index)Signature|TSCallSignatureDeclaration|ClassProperty)$/.test(type);
}
