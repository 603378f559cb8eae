import type { Node } from '@babel/types';
import { endOf, startOf } from '../../repair/syntax/parse.ts';
import type { Site } from '../../repair/syntax/walk.ts';

/** A part of a text and what stands there in its place. Offsets are UTF-16 units. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** What a rewriting knows about a file. */
export interface PlainSource {
  readonly text: string;
  readonly sites: readonly Site[];
  /** How often the file declares each name. */
  readonly declared: ReadonlyMap<string, number>;
}

/** Edits by which one way to write something becomes a plainer one with the same meaning. */
export type Rewriting = (source: PlainSource) => Edit[];

export function replaced(node: Node, text: string): Edit {
  return { from: startOf(node), to: endOf(node), text };
}

export function shown({ text }: PlainSource, node: Node): string {
  return text.slice(startOf(node), endOf(node));
}

/** A rewriting that looks at one place at a time; `rewrite` returns the new text of the node. */
export function atEachSite(rewrite: (site: Site, source: PlainSource) => string | undefined): Rewriting {
  return (source) =>
    source.sites.flatMap((site) => {
      const text = rewrite(site, source);
      return text === undefined ? [] : [replaced(site.node, text)];
    });
}
