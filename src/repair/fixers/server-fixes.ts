import { fileURLToPath } from 'node:url';
import type { CodeAction, Command } from 'vscode-languageserver-types';
import { withTextEdits } from './positions.ts';
import { addsSuppression } from './suppressions.ts';
import type { QuickFix, TypeProblem } from './type-project.ts';

/**
 * What a language server offers for one error, as texts, in its order. Actions for every error of a kind at once,
 * those that silence the checker and those that need the server to run a command are left out.
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

/** The name that an error's message offers, put in the place of the misspelled one. */
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
