import { expect, it } from 'vitest';
import { renderAction } from '../../src/report/action-line.ts';
import { shownEdit } from '../../src/schema/shown-edit.ts';

it('shows an edit without the hash that identifies it', () => {
  expect(shownEdit('src/a.js: a → b @0123456789')).toBe('src/a.js: a → b');
  expect(shownEdit('src/a.js: a → b @0123456789 ~00ff')).toBe('src/a.js: a → b');
  expect(shownEdit('src/a.js: mail@0123456789 → b')).toBe('src/a.js: mail@0123456789 → b');
  const action = {
    type: 'code_modification',
    description: 'Accepted edit: src/a.js: a → b @0123456789',
  } as const;
  expect(renderAction(action)).toBe('Accepted edit: src/a.js: a → b');
});
