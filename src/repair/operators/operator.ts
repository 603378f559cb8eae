import type { Node } from '@babel/types';
import type { Binding } from '../syntax/bindings.ts';
import type { Crash } from '../syntax/crashes.ts';
import type { TextEdit } from '../syntax/edit.ts';
import type { Kind } from '../syntax/kinds.ts';
import type { LiteralPool } from '../syntax/literals.ts';
import type { TestedOption } from '../syntax/tested-options.ts';
import type { Site } from '../syntax/walk.ts';

/** One kind of edit. Pure: the same site and file give the same proposals in the same order. */
export interface Operator {
  /** Kebab-case and unique; stored with each repair, so it must not change. */
  readonly name: string;
  /** How often edits of this kind are the right repair, relative to other operators, 0..1. */
  readonly prior: number;
  propose(site: Site, source: SourceView): Iterable<Proposal>;
}

/** Replacements that are tried together. */
export interface Proposal {
  /** At least one; sorted by start, not overlapping. */
  readonly edits: readonly TextEdit[];
  /** Multiplied with the operator's prior, 0..1. */
  readonly factor: number;
}

/** Read access to the parsed file, for operators. */
export interface SourceView {
  readonly text: string;
  /** Every node of the file, parents first. */
  readonly sites: readonly Site[];
  readonly literals: LiteralPool;
  /** Places of the file at which the failing tests met a missing value. */
  readonly crashes: readonly Crash[];
  /** Options that the failing tests pass near the places where they failed, nearest first. */
  readonly testedOptions: readonly TestedOption[];
  /** Source text of the node. */
  textOf(node: Node): string;
  /** Names that code at the site can use, innermost scope first. */
  visibleAt(site: Site): readonly Binding[];
  /** Guessed from literals and usage; `unknown` without any evidence. */
  kindOf(node: Node): Kind;
  /** Other property names that the file uses on the same object as the given one. */
  siblingsOf(property: string): readonly string[];
  /** Sites of the outermost function around the site; of the whole file if there is none. */
  withinFunction(site: Site): readonly Site[];
  /** Sites of the node and its descendants. */
  within(node: Node): readonly Site[];
  /** Properties that the file reads from the name, as in `name.property`, in source order. */
  propertiesOf(name: string): readonly string[];
  /** Whether the file reads the name by index, as in `name[i]`. */
  isIndexed(name: string): boolean;
  /** Members with a fitting type for the member name at the offset, best first; empty without a type checker. */
  typedMembersAt(offset: number): readonly string[];
  /** Whether the name is assigned after its declaration. */
  isAssigned(name: string): boolean;
}
