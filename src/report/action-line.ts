import type { Action } from '../schema/generated.ts';

/** An action on one line, as it comes: `src/cart.js: read lines 1 to 5 of 5.`, `$ npm test: exit code 0.` */
export function renderAction({ command, description, file_path: path }: Action): string {
  const first = description.split('\n', 1)[0]!;
  if (command !== undefined)
    return `$ ${command.split('\n', 1)[0]!}: ${lowerStart(first.replace(/^Ran a command: /, ''))}`;
  return path === undefined || path === '.' || first.includes(path) ? first : `${path}: ${lowerStart(first)}`;
}

function lowerStart(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
