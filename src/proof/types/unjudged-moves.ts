import { join, posix } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import type { Check } from '../../ports.ts';
import { parseSource } from '../../repair/syntax/parse.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import type { Diagnostic } from '../../schema/generated.ts';
import type { ChangedSources } from '../base-sources.ts';
import { importedNames } from '../delivery/package-imports.ts';

const TYPED = /\.[cm]?tsx?$/;
const UNTYPED = /\.[cm]?jsx?$/;
/** Code that a type checker reports wherever it judges JavaScript at all. */
const PROBE = "\n/** @type {0} */\nexport const ralphProbe = 'x';\n";

/**
 * A sentence on code in which the type checker reported a problem, and that a change moves to a new file of JavaScript which the
 * checker does not judge; undefined if there is none. `before` are the base's problems of this check. One run where there is such a
 * file; it is put back.
 */
export async function findUnjudgedMove(
  check: Check,
  { request, sources, baseText }: ChangedSources,
  before: readonly Diagnostic[],
): Promise<string | undefined> {
  const { root } = request;
  const faulty = sources.filter((path) => TYPED.test(path) && before.some(({ file }) => file === path));
  for (const path of sources.filter((it) => UNTYPED.test(it))) {
    if (faulty.length === 0 || (await baseText(path)) !== undefined) continue;
    const text = textOf(join(root, path));
    const declared = declaredNames(path, text);
    for (const from of faulty) {
      const [then, now] = [(await baseText(from)) ?? '', textOf(join(root, from))];
      const left = new Set(declaredNames(from, now));
      const moved = declaredNames(from, then).find((name) => declared.includes(name) && !left.has(name));
      if (moved === undefined || !imports(now, from, path)) continue;
      const { diagnostics } = await withTexts(root, new Map([[path, `${text}${PROBE}`]]), () =>
        check.run({ ...request, fresh: true }),
      );
      if (diagnostics.some(({ file }) => file === path)) continue;
      return `${moved} was moved from ${from} to ${path}, which the type checker does not judge, so that a problem which it reported is only hidden. Repair it where it was; if it is meant, --allow ${path} permits it.`;
    }
  }
  return undefined;
}

/** Names of the functions, classes and variables that a text declares at its top. */
function declaredNames(path: string, text: string): string[] {
  const parsed = parseSource(path, text);
  if ('problem' in parsed) return [];
  return parsed.tree.program.body.flatMap((statement) => {
    const isExport =
      statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration';
    const declared = isExport ? statement.declaration : statement;
    if (declared?.type === 'FunctionDeclaration' || declared?.type === 'ClassDeclaration')
      return declared.id ? [declared.id.name] : [];
    return declared?.type === 'VariableDeclaration'
      ? declared.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
      : [];
  });
}

function imports(text: string, from: string, path: string): boolean {
  const stem = (name: string): string => name.replace(/\.[cm]?[jt]sx?$/, '');
  return importedNames(text).some((name) => stem(posix.join(posix.dirname(from), name)) === stem(path));
}
