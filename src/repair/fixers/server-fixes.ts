import { fileURLToPath } from 'node:url';
import type { CodeAction, Command } from 'vscode-languageserver-types';
import { withTextEdits } from './positions.ts';
import { addsSuppression } from './suppressions.ts';
import type { QuickFix, TypeProblem } from './type-project.ts';

/**
 * The quick fixes of a language server for one error, in its order. Left out are actions for all errors of a kind,
 * fixes that silence the checker and fixes that the server applies by a command.
 */
export function actionFixes(
  actions: readonly (CodeAction | Command)[],
  textOf: (path: string) => string,
): QuickFix[] {
  return actions
    .filter((action): action is CodeAction => 'edit' in action && !FOR_ALL.test(action.title))
    .filter(({ edit }) => edit?.changes !== undefined && edit.documentChanges === undefined)
    .map(({ title, edit }) => ({ description: title, texts: textsAfter(edit!.changes!, textOf) }))
    .filter(({ texts }) => [...texts].every(([path, text]) => !addsSuppression(textOf(path), text)));
}

/** The fix of a misspelled name for which the error's message suggests another. */
export function spellingFixes({ path, start, length, message }: TypeProblem, text: string): QuickFix[] {
  const name = OFFERED.exec(message)?.[1];
  const found = text.slice(start, start + length);
  if (name === undefined || !/^#?[\w$]+$/.test(found)) return [];
  const after = text.slice(0, start) + name + text.slice(start + length);
  return [{ description: `Change spelling to '${name}'`, texts: new Map([[path, after]]) }];
}

const FOR_ALL = /^\w+ all\b/i;
const OFFERED = /Did you mean (?:the (?:instance|static) member )?'(#?[\w$]+(?:\.[\w$]+)?)'\?/;

function textsAfter(
  changes: NonNullable<NonNullable<CodeAction['edit']>['changes']>,
  textOf: (path: string) => string,
): QuickFix['texts'] {
  const paths = Object.keys(changes).map((uri) => [fileURLToPath(uri), changes[uri]!] as const);
  return new Map(paths.map(([path, edits]) => [path, withTextEdits(textOf(path), edits)]));
}
