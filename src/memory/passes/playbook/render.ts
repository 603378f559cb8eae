import { oneLine } from '../../../platform/text/one-line.ts';
import type { Lesson, LessonType, Playbook, PlaybookSlot } from '../../../schema/generated.ts';

const SLOT = /\[\[(lesson-[0-9a-f]{12})\]\]/g;
const HEADINGS: Readonly<Record<LessonType, string>> = {
  command: 'Commands',
  environment: 'Environment',
  convention: 'Conventions',
  constraint: 'Limits',
  preference: 'Preferences',
  pitfall: 'Pitfalls',
  fix_pattern: 'Fixes that worked',
};

/** Ids of the lessons whose slots (`[[lesson-…]]`) a narrative has, each once. */
export function slotsIn(narrative: string): string[] {
  return [...new Set([...narrative.matchAll(SLOT)].map(([, id]) => id!))];
}

/** The slot of a lesson. */
export function toSlot({ id, type, text, confidence, pinned }: Lesson): PlaybookSlot {
  return { lesson_id: id, type, text, confidence, pinned };
}

/**
 * The playbook as Markdown: the narrative with its slots filled in, followed by the lessons that have no slot in it,
 * pinned ones first. A slot of a lesson that no longer exists is left out.
 */
export function renderPlaybook({ narrative, slots }: Pick<Playbook, 'narrative' | 'slots'>): string {
  const byId = new Map(slots.map((slot) => [slot.lesson_id, slot]));
  const named = new Set(slotsIn(narrative));
  const filled = narrative
    .split('\n')
    .flatMap((line) => fillLine(line, byId))
    .join('\n')
    .trim();
  const rest = renderSlots(slots.filter(({ lesson_id: id }) => !named.has(id)));
  return `${['# Playbook', withoutTitle(filled), rest].filter((part) => part !== '').join('\n\n')}\n`;
}

/** Lessons under one heading per type, pinned ones first under their own. */
function renderSlots(slots: readonly PlaybookSlot[]): string {
  const pinned = slots.filter((slot) => slot.pinned);
  const groups: [string, readonly PlaybookSlot[]][] = [
    ['Pinned', pinned],
    ...Object.entries(HEADINGS).map(([type, title]): [string, PlaybookSlot[]] => [
      title,
      slots.filter((slot) => !slot.pinned && slot.type === type),
    ]),
  ];
  return groups
    .filter(([, group]) => group.length > 0)
    .map(([title, group]) =>
      [`## ${title}`, '', ...group.map(({ text }) => `- ${oneLine(text, 1000)}`)].join('\n'),
    )
    .join('\n\n');
}

/** Drops a line that has no words left because its lesson no longer exists. */
function fillLine(line: string, byId: ReadonlyMap<string, PlaybookSlot>): string[] {
  const filled = line.replace(SLOT, (_, id: string) => oneLine(byId.get(id)?.text ?? '', 1000));
  const isEmptied = filled !== line && filled.replace(/[\s\-*•]/g, '') === '';
  return isEmptied ? [] : [filled];
}

function withoutTitle(text: string): string {
  return text.replace(/^# Playbook\s*\n+/, '').trim();
}
