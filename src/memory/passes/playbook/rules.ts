import { CODE_SPAN, codeOf, codeSpan } from '../../../platform/text/code-span.ts';
import { oneLine } from '../../../platform/text/one-line.ts';
import type { Insight, Observation } from '../../../schema/generated.ts';
import { isSameSentence } from '../../text/likeness.ts';
import { REWRITE } from './settings.ts';

const LEARNED = '## What attempts showed';
const PLACES = '## Where work happened';
const SPANS = new RegExp(CODE_SPAN.source, 'g');
const OPENING = 'Findings from earlier attempts in this repository.';
const MOST_LINES = 40;
const LINE_CHARS = 300;
/** Names per line: at most five new ones with each rewrite, so that most of the former ones stay, and 15 in all. */
const NAMES = { fresh: 5, all: 15 } as const;

/** What the rules rewrite a playbook from. */
interface RuledRewrite {
  readonly narrative: string;
  readonly insights: readonly Insight[];
  readonly recent: readonly Observation[];
  /** False for a file that the repository does not have, such as one that only an attempt wrote. */
  readonly hasFile: (file: string) => boolean;
}

/**
 * Rewrites the playbook without a model: keeps its text, and adds new insights and the commands and files of recent
 * attempts. Above the size limit the oldest insights are dropped.
 */
export function rewriteByRules({ narrative, insights, recent, hasFile }: RuledRewrite): string {
  const sections = parseSections(narrative.trim() === '' ? OPENING : narrative);
  const known = sections.get(LEARNED) ?? [];
  const fresh = insights
    .map(({ text }) => `- ${oneLine(text, LINE_CHARS)}`)
    .filter((line) => !known.some((one) => isSameSentence(one, line)));
  const learned = [...known, ...fresh].slice(-MOST_LINES);
  const places = placeLines(sections.get(PLACES) ?? [], recent, hasFile);
  if (learned.length > 0) sections.set(LEARNED, learned);
  if (places.length > 0) sections.set(PLACES, places);
  while (renderSections(sections).length > REWRITE.mostChars && learned.length > 1) learned.shift();
  return renderSections(sections);
}

/** Lines by heading; lines above the first heading have the heading ''. */
function parseSections(narrative: string): Map<string, string[]> {
  const sections = new Map<string, string[]>([['', []]]);
  let heading = '';
  for (const line of narrative.split('\n')) {
    if (/^## /.test(line)) sections.set((heading = line.trim()), sections.get(line.trim()) ?? []);
    else if (line.trim() !== '') sections.get(heading)!.push(line);
  }
  return sections;
}

function renderSections(sections: ReadonlyMap<string, readonly string[]>): string {
  return [...sections]
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => [...(heading === '' ? [] : [heading, '']), ...lines].join('\n'))
    .join('\n\n');
}

/** One line for each kind of name: the most frequent names of recent attempts, followed by those of earlier ones. */
function placeLines(
  lines: readonly string[],
  recent: readonly Observation[],
  hasFile: RuledRewrite['hasFile'],
): string[] {
  const failing = recent.flatMap(({ errors }) => errors.flatMap(({ file }) => file ?? []));
  const helped = recent.filter((one) => one.reward_change > 0).flatMap(({ files }) => files);
  const kinds: readonly (readonly [label: string, names: readonly string[], isThere: typeof hasFile])[] = [
    ['Checked by', recent.flatMap(({ commands }) => commands.map(({ command }) => command)), () => true],
    ['Failures lay in', failing, hasFile],
    ['Changes that helped lay in', helped, hasFile],
  ];
  return kinds.flatMap(([label, names, isThere]) => {
    const before = lines.find((line) => line.startsWith(`- ${label} `)) ?? '';
    const known = [...before.matchAll(SPANS)].map(([span]) => codeOf(span));
    const fresh = byFrequency(names.filter(isThere).map((name) => oneLine(name, 160))).slice(0, NAMES.fresh);
    const all = [...new Set([...fresh, ...known])].filter(isThere).slice(0, NAMES.all);
    return all.length === 0 ? [] : [`- ${label} ${all.map(codeSpan).join(', ')}.`];
  });
}

/** Distinct items, the most frequent first; equally frequent ones in their first order. */
function byFrequency(items: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([item]) => item);
}
