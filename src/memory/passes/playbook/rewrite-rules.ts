import type { Insight, Observation } from '../../../schema/generated.ts';
import { oneLine } from '../common/one-line.ts';
import { saysTheSame } from '../common/words.ts';
import { REWRITE } from './check-rewrite.ts';

const LEARNED = '## What attempts showed';
const PLACES = '## Where work happened';
const OPENING = 'What attempts in this repository taught, for whoever works here next.';
const MOST_LINES = 40;
const LINE_CHARS = 300;
/** New names of a kind that one rewrite brings in, and names of a kind in all: most of the old ones stay. */
const NAMES = { fresh: 5, all: 15 } as const;

/**
 * A playbook without a model: everything stays, new insights are added as lines that are not there yet, and so are the
 * commands and files of recent attempts. Where it would become too long, the oldest of its own lines and names go.
 */
export function rewriteByRules(
  narrative: string,
  insights: readonly Insight[],
  recent: readonly Observation[],
): string {
  const sections = sectionsOf(narrative.trim() === '' ? OPENING : narrative);
  const known = sections.get(LEARNED) ?? [];
  const fresh = insights
    .map(({ text }) => `- ${oneLine(text, LINE_CHARS)}`)
    .filter((line) => !known.some((one) => saysTheSame(one, line)));
  const learned = [...known, ...fresh].slice(-MOST_LINES);
  const places = placesIn(sections.get(PLACES) ?? [], recent);
  if (learned.length > 0) sections.set(LEARNED, learned);
  if (places.length > 0) sections.set(PLACES, places);
  while (rendered(sections).length > REWRITE.mostChars && learned.length > 1) learned.shift();
  return rendered(sections);
}

/** What is above the first heading has the empty one. */
function sectionsOf(narrative: string): Map<string, string[]> {
  const sections = new Map<string, string[]>([['', []]]);
  let heading = '';
  for (const line of narrative.split('\n')) {
    if (/^## /.test(line)) sections.set((heading = line.trim()), sections.get(line.trim()) ?? []);
    else if (line.trim() !== '') sections.get(heading)!.push(line);
  }
  return sections;
}

function rendered(sections: ReadonlyMap<string, readonly string[]>): string {
  return [...sections]
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => [...(heading === '' ? [] : [heading, '']), ...lines].join('\n'))
    .join('\n\n');
}

/** What recent attempts had in common, and before it what earlier ones had: a line for each kind of place. */
function placesIn(lines: readonly string[], recent: readonly Observation[]): string[] {
  const kinds: readonly (readonly [label: string, names: readonly string[]])[] = [
    ['Checked by', recent.flatMap(({ commands }) => commands.map(({ command }) => command))],
    ['Failures lay in', recent.flatMap(({ errors }) => errors.flatMap(({ file }) => file ?? []))],
    [
      'Changes that helped lay in',
      recent.filter((one) => one.reward_change > 0).flatMap(({ files }) => files),
    ],
  ];
  return kinds.flatMap(([label, names]) => {
    const before = lines.find((line) => line.startsWith(`- ${label} `)) ?? '';
    const known = [...before.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    const fresh = counted(names.map(plainName)).slice(0, NAMES.fresh);
    const all = [...new Set([...fresh, ...known])].slice(0, NAMES.all);
    return all.length === 0 ? [] : [`- ${label} ${all.map((name) => `\`${name}\``).join(', ')}.`];
  });
}

/** Most frequent first, then as they came. */
function counted(items: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([item]) => item);
}

function plainName(text: string): string {
  return oneLine(text.replaceAll('`', "'"), 160);
}
