import { changedFiles, parseHunks } from '../../../platform/text/patch-hunks.ts';
import { adviceTree, type AdviceTree } from '../../../prompts/allowed/tree.ts';
import type { ReflectionInput } from '../../../ports/reflection.ts';
import { filesOf } from '../evidence.ts';
import { importsUsedAt, sourceLines, type SourceLines } from '../source-lines.ts';

/** A file of code or configuration with its line, as texts name it. */
export const PLACE =
  /(?<![\w/.@-])((?:[\w@.-]+\/)*[\w@-][\w@.-]*\.(?:[cm]?[jt]sx?|json|ya?ml|toml|css|html|vue|svelte))(?::(\d+))?(?![\w/-])/g;

/** The record of an attempt, prepared for look-ups. */
export interface AttemptRecord {
  readonly input: ReflectionInput;
  readonly sources: SourceLines;
  /** The code that advice is looked up in. */
  readonly tree: AdviceTree;
  /** Files that the record names. */
  readonly files: ReadonlySet<string>;
  /** Every text of the record, white space folded. */
  readonly text: string;
  /** Code, output of the checks and commands, without what an actor or a reflection says; white space folded. */
  readonly facts: string;
}

export function recordOf(input: ReflectionInput): AttemptRecord {
  const { evaluation, previous, trajectory, patch, task, window, loop, trace, tampering } = input;
  const diagnostics = [...evaluation.diagnostics, ...previous.diagnostics];
  const files = [
    ...changedFiles(patch),
    ...diagnostics.flatMap(filesOf),
    ...evaluation.tests.flatMap(({ file }) => file ?? []),
    ...trajectory.actions.flatMap(({ file_path: file }) => file ?? []),
  ];
  const sources = sourceLines(loop?.root);
  const facts = [
    task,
    patch,
    patch.replace(/^[+-]/gm, ''),
    ...diagnostics.flatMap(({ message, rule, expected, received, test_id: id }) => [
      message,
      rule,
      expected,
      received,
      id,
    ]),
    ...evaluation.checks.flatMap(({ name, detail, output, command }) => [name, detail, output, command]),
    ...evaluation.tests.map(({ name }) => name),
    ...(trace?.values ?? []).flatMap(({ first, last }) => [first, last]),
    ...trajectory.actions.flatMap(({ command, changes }) => [command, changes?.diff]),
    ...files.flatMap((file) => sources.linesOf(file)?.join('\n') ?? []),
  ];
  const said = [
    trajectory.message,
    trajectory.rationale,
    ...trajectory.actions.map(({ description }) => description),
    ...[...window, ...(loop?.reflections ?? [])].flatMap(({ self_reflection: self }) => [
      self.reflection_text,
      ...self.actionable_insights,
    ]),
  ];
  const known = bounded(facts.flatMap((part) => part?.slice(0, MAX.part) ?? []));
  const imported = diagnostics.flatMap(({ file, line }) =>
    file === undefined ? [] : importsUsedAt(sources, file, line ?? Infinity),
  );
  const judging = new Set([
    ...evaluation.tests.flatMap(({ file }) => file ?? []),
    ...tampering.map(({ file }) => file),
  ]);
  return {
    input,
    sources,
    tree: adviceTree({
      linesOf: (file) => sources.linesOf(file),
      files: [...files, ...imported],
      failures: diagnostics,
      removedFrom: (file) => parseHunks(patch).flatMap((hunk) => (hunk.file === file ? hunk.removed : [])),
      isProtected: (file) => judging.has(file),
    }),
    files: new Set(files),
    text: folded(bounded([known, ...said])),
    facts: known.replace(/\s+/g, ' '),
  };
}

/** Characters of one text and of all texts that quotes are looked up in; no real attempt has more. */
const MAX = { part: 100_000, all: 1_000_000 } as const;

function bounded(parts: readonly string[]): string {
  let rest: number = MAX.all;
  const shown: string[] = [];
  for (const part of parts) {
    if (rest <= 0) break;
    const text = part.slice(0, rest);
    rest -= text.length;
    shown.push(text);
  }
  return shown.join('\n');
}

/** A text with its white space folded, in lower case. */
export function folded(text: string): string {
  return text
    .replace(/[\s…]+/g, ' ')
    .trim()
    .toLowerCase();
}
