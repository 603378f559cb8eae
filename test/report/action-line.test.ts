import { describe, expect, it } from 'vitest';
import { renderAction, renderEdit } from '../../src/report/action-line.ts';
import type { Action } from '../../src/schema/generated.ts';

describe('renderAction and renderEdit', () => {
  it.each<[Omit<Action, 'type'>, string]>([
    [{ description: 'Read lines 1 to 5 of 5.', file_path: 'src/a.js' }, 'src/a.js: read lines 1 to 5 of 5.'],
    [
      { description: 'Changed src/a.js: line 3 for 1.', file_path: 'src/a.js' },
      'Changed src/a.js: line 3 for 1.',
    ],
    [{ description: 'Listed the folder: 3 entries.', file_path: '.' }, 'Listed the folder: 3 entries.'],
    [{ description: 'Ran a command: exit code 0.\nok', command: 'npm test' }, '$ npm test: exit code 0.'],
    [{ description: 'Said something.\nand more' }, 'Said something.'],
  ])('%j', (action, line) => {
    expect(renderAction({ type: 'other', ...action })).toBe(line);
  });

  it('renders the effect on the file without the command', () => {
    const edit = {
      description: 'Accepted edit: a - b → a + b\nmore',
      file_path: 'src/a.js',
      command: 'npm test',
    };
    expect(renderEdit(edit)).toBe('src/a.js: accepted edit: a - b → a + b');
  });
});
