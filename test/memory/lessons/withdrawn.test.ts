import { describe, expect, it } from 'vitest';
import { FORGOTTEN_BY_USER, LEFT_FOR_ROOM } from '../../../src/memory/lessons/status-reasons.ts';
import { toSlot } from '../../../src/memory/passes/playbook/render.ts';
import { isWithdrawn, withoutWithdrawn } from '../../../src/memory/lessons/withdrawn.ts';
import { lesson } from './sample.ts';

const standing = lesson('Ports stay taken');
const forgotten = lesson('Totals are rounded late.', {
  status: 'archived',
  status_reason: `${FORGOTTEN_BY_USER}.`,
});
const replaced = lesson('The port is 3000', { status: 'superseded', superseded_by: standing.id });
const crowdedOut = lesson('Ports are freed slowly', { status: 'archived', status_reason: LEFT_FOR_ROOM });

describe('withoutWithdrawn', () => {
  it('removes the slot and the line of a withdrawn lesson only', () => {
    const book = {
      narrative: 'What was learned.\n- Totals are rounded late\n- The `port` is 3000, or so.',
      slots: [standing, forgotten, replaced].map(toSlot),
    };
    expect(withoutWithdrawn(book, [standing, forgotten, replaced])).toEqual({
      narrative: 'What was learned.\n- The `port` is 3000, or so.',
      slots: [toSlot(standing)],
    });
    expect(withoutWithdrawn(book, [])).toEqual(book);
  });

  it('keeps a line that another standing lesson has, and updates pins', () => {
    const again = lesson('Totals are rounded late', { type: 'convention', pinned: true });
    const book = { narrative: '- Totals are rounded late', slots: [{ ...toSlot(again), pinned: false }] };
    expect(withoutWithdrawn(book, [forgotten, again])).toEqual({ ...book, slots: [toSlot(again)] });
  });
});

describe('isWithdrawn', () => {
  it.each([
    ['stands', standing, false],
    ['was forgotten', forgotten, true],
    ['was replaced', replaced, true],
    ['had to make room', crowdedOut, false],
  ])('follows the lesson of an insight: it %s', (_, { id }, isGone) => {
    const insight = {
      ...{ id: 'insight-000000000000', text: 'It is so.', importance: 1, evidence: [], verified: true },
      ...{ created_at: '2026-01-01T00:00:00.000Z', lesson_id: id },
    };
    expect(isWithdrawn(insight, [standing, forgotten, replaced, crowdedOut])).toBe(isGone);
  });
});
