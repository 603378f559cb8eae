import type { Lesson, LessonType, Playbook, PlaybookSlot } from '../../../schema/generated.ts';
import { oneLine } from '../common/one-line.ts';

const SLOT = /\[\[(lesson-[0-9a-f]{12})\]\]/g;
const HEADINGS: Readonly<Record<LessonType, string>> = {
  command: 'Commands',
  environment: 'Environment',
  convention: 'Conventions',
  constraint: 'Limits',
  preference: 'Preferences',
  pitfall: 'Pitfalls',
  fix_pattern: 'What mended things',
};

/** Ids of the lessons whose slots a narrative names. */
export function slotsIn(narrative: string): string[] {
  return [...new Set([...narrative.matchAll(SLOT)].map(([, id]) => id!))];
}

/** A lesson as it stands in a slot. */
export function slotOf({ id, type, text, confidence, pinned }: Lesson): PlaybookSlot {
  return { lesson_id: id, type, text, confidence, pinned };
}

/**
 * The playbook as Markdown: the narrative with each slot filled in, and behind it every lesson that it does not name,
 * pinned ones first. A slot of a lesson that is gone is left out.
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

/** Lessons under a heading for each kind, pinned ones first. */
export function renderSlots(slots: readonly PlaybookSlot[]): string {
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

/** A line whose only words were the slot of a lesson that is gone goes with it. */
function fillLine(line: string, byId: ReadonlyMap<string, PlaybookSlot>): string[] {
  const filled = line.replace(SLOT, (_, id: string) => oneLine(byId.get(id)?.text ?? '', 1000));
  const isEmptied = filled !== line && filled.replace(/[\s\-*•]/g, '') === '';
  return isEmptied ? [] : [filled];
}

function withoutTitle(text: string): string {
  return text.replace(/^# Playbook\s*\n+/, '').trim();
}
