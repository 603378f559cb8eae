import { shownEdit } from '../schema/shown-edit.ts';
import type { Action } from '../schema/generated.ts';

/** Renders an action on one line: `src/cart.js: read lines 1 to 5 of 5.`, `$ npm test: exit code 0.` */
export function renderAction(action: Action): string {
  const { command, description } = action;
  if (command === undefined) return renderEdit(action);
  const first = firstLine(description).replace(/^Ran a command: /, '');
  return `$ ${firstLine(command)}: ${lowerStart(first)}`;
}

/** Renders the effect of an action on a file, without its command. */
export function renderEdit({
  description,
  file_path: path,
}: Pick<Action, 'description' | 'file_path'>): string {
  const first = firstLine(description);
  return path === undefined || path === '.' || first.includes(path) ? first : `${path}: ${lowerStart(first)}`;
}

function firstLine(text: string): string {
  return shownEdit(text.split('\n', 1)[0]!);
}

function lowerStart(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
