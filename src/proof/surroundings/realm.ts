import { join } from 'node:path';
import type { Node } from '@babel/types';
import { textOf } from '../../platform/files/text-of.ts';
import type { Check } from '../../ports.ts';
import { applyEdits, type TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, parseSource, startOf } from '../../repair/syntax/parse.ts';
import { isEditableSource } from '../../repair/syntax/source-files.ts';
import { sitesOf } from '../../repair/syntax/walk.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import type { Tampering } from '../../schema/generated.ts';
import { passesAll, type SurroundingsRequest } from './index.ts';

/** Classes of the language, of which a runner with a realm of its own has others than Node. */
const KINDS = /^(?:\w*Error|Array|Map|Set|Date|RegExp|Promise|Uint8Array|ArrayBuffer)$/;

/**
 * Tampering where a change asks whether a value is of a class of the language (`error instanceof Error`), and the tests that failed
 * before pass only because the runner has classes of its own: they fail where values of every realm count. Only for runners that
 * run tests in such a realm. Never rejects for what the code does.
 */
export async function findRealmQuestion(check: Check, asked: SurroundingsRequest): Promise<Tampering[]> {
  const { request, sources, baseText, flipped } = asked;
  if (check.plan.tool !== 'jest' || flipped === undefined || flipped.length === 0) return [];
  for (const source of sources.filter(isEditableSource)) {
    const text = textOf(join(request.root, source));
    const known = new Set(questionsIn(source, (await baseText(source)) ?? '').map(({ shown }) => shown));
    const added = questionsIn(source, text).filter(({ shown }) => !known.has(shown));
    if (added.length === 0 || request.signal.aborted) continue;
    const everywhere = new Map([
      [
        source,
        applyEdits(
          text,
          added.map(({ edit }) => edit),
        ),
      ],
    ]);
    const files = [...new Set(flipped.flatMap(({ file }) => file ?? []))];
    const report = await withTexts(request.root, everywhere, () =>
      check.run({ ...request, fresh: true, files }),
    );
    if (!passesAll(flipped, report)) return [decides(source, added[0]!)];
  }
  return [];
}

interface RealmQuestion {
  readonly shown: string;
  readonly line: number;
  /** Lets values of every realm count. */
  readonly edit: TextEdit;
}

function questionsIn(file: string, text: string): RealmQuestion[] {
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return [];
  const slice = (node: Node): string => text.slice(startOf(node), endOf(node));
  return sitesOf(parsed.tree.program).flatMap(({ node }): RealmQuestion[] => {
    if (node.type !== 'BinaryExpression' || node.operator !== 'instanceof') return [];
    const { left, right } = node;
    if (right.type !== 'Identifier' || !KINDS.test(right.name)) return [];
    const kind = right.name.endsWith('Error') ? 'Error' : right.name;
    const isOfKind = `Object.prototype.toString.call(it) === '[object ${kind}]'`;
    // Errors of one kind are told from each other by their names.
    const isNamed = /^.+Error$/.test(right.name) ? ` && it.name === '${right.name}'` : '';
    const replacement = `((it) => it instanceof ${right.name} || (${isOfKind}${isNamed}))(${slice(left)})`;
    const edit = { start: startOf(node), end: endOf(node), replacement };
    return [{ shown: slice(node).replaceAll(/\s+/g, ' '), line: node.loc!.start.line, edit }];
  });
}

function decides(source: string, { shown, line }: RealmQuestion): Tampering {
  const detail = `${source}:${line} asks "${shown.slice(0, 200)}", and the tests pass only because their runner has classes of its own there: elsewhere the answer is another one. Ask in a way that holds everywhere. --allow permits it in a file.`;
  return { kind: 'surroundings_read', file: source, detail: detail.slice(0, 2_000) };
}
