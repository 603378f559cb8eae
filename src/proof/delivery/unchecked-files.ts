import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import { importedFiles } from '../replay/ambient/reached.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import type { Evaluation, Tampering } from '../../schema/generated.ts';

/** The tree that was checked, and the baseline that it is compared with. */
export interface UncheckedFilesRequest {
  /** Absolute path of the tree. */
  readonly root: string;
  readonly baseline: Evaluation;
  /** Files that were added to the tree since its base, relative to the root. */
  readonly added: readonly string[];
}

/**
 * Files with errors in the baseline that a type checker or linter no longer checks: they are still in the tree, were
 * replaced by an unchecked file of the same name, got unchecked JavaScript of the same name beside them, or import or name new
 * files with code that are not checked, to which their code may have moved. Files without errors may leave a project, for example with
 * their last import.
 */
export function findUncheckedFiles(report: CheckReport, request: UncheckedFilesRequest): Tampering[] {
  const { root, baseline, added } = request;
  const before = baseline.checks.find(({ name }) => name === report.name)?.checked_files;
  if (before === undefined || report.checked_files === undefined) return [];
  const checked = new Set(report.checked_files);
  const errors = baseline.diagnostics.filter((it) => it.check === report.name && it.severity === 'error');
  const wrong = before.filter((file) => errors.some((it) => it.file === file));
  const besides = wrong.flatMap((file) => {
    const beside = added.find((path) => isScriptBeside(path, file) && !checked.has(path));
    if (beside === undefined || !checked.has(file)) return [];
    return [unchecked(beside, `${beside} was added beside ${file}, and ${report.tool} does not check it`)];
  });
  const moved = wrong.flatMap((file) => {
    const imported = importedFiles(root, file).find((path) => isNew(path, added) && !checked.has(path));
    const target = imported ?? namedCode(root, file, added).find((path) => !checked.has(path));
    if (target === undefined || DATA.test(target)) return [];
    return [unchecked(target, `${file} now imports ${target}, which ${report.tool} does not check`)];
  });
  const lost = wrong.filter((file) => !checked.has(file));
  const left = lost.flatMap((file) => {
    if (existsSync(join(root, file))) return [unchecked(file, `${report.tool} no longer checks ${file}`)];
    const replacement = added.find((path) => stemOf(path) === stemOf(file) && !checked.has(path));
    if (replacement === undefined) return [];
    return [unchecked(replacement, `${file} became ${replacement}, which ${report.tool} does not check`)];
  });
  return [...besides, ...moved, ...left];
}

/** Files without code that a linter or type checker could check. */
const DATA =
  /\.(json5?|css|scss|less|svg|png|jpe?g|gif|webp|wasm|txt|md|html?|ya?ml|vue|svelte|astro|graphql|gql)$/;

const NAMED = /(['"`])(\.{1,2}\/[^'"`\n]+)\1/g;
const EXPORTS =
  /^\s*(?:module\.)?exports\b.*=|^export\s+(?:default|const|let|var|class|(?:async\s+)?function|\{)/m;

/** Added files with code in them, whatever their names, which a file names as it loads them: `createRequire(…)('./a.es6')`. */
function namedCode(root: string, file: string, added: readonly string[]): string[] {
  const names = [...textAt(join(root, file)).matchAll(NAMED)].map(([, , name]) => name!);
  const paths = names.map((name) => posix.join(posix.dirname(file), name));
  return paths.filter((path) => added.includes(path) && EXPORTS.test(textAt(join(root, path))));
}

function textAt(path: string): string {
  try {
    return readTreeTextSync(path);
  } catch {
    return '';
  }
}

/** Added to the tree, or in a folder of installed packages, of which git shows nothing. */
function isNew(path: string, added: readonly string[]): boolean {
  return added.includes(path) || /(^|\/)node_modules\//.test(path);
}

/** JavaScript in the same folder with the same stem, to which the code of a TypeScript file may have moved. */
function isScriptBeside(path: string, file: string): boolean {
  const isScript = /\.[cm]?jsx?$/.test(path) && /\.[cm]?tsx?$/.test(file);
  return isScript && posix.dirname(path) === posix.dirname(file) && stemOf(path) === stemOf(file);
}

function unchecked(file: string, fact: string): Tampering {
  const detail = `${fact}. It had errors before, so their absence proves nothing.`;
  return { kind: 'checked_less', file, detail };
}

function stemOf(path: string): string {
  return posix.basename(path).replace(/\..*$/s, '');
}
