import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reflection } from '../../schema/generated.ts';
import { validate, type SchemaProblem } from '../../schema/validate.ts';
import { aiwgProblems } from './aiwg-record.ts';
import {
  listReflectionFiles,
  misplacement,
  NAME_PROBLEM,
  readJsonSync,
  TURN,
  type ReflectionFile,
} from './reflection-files.ts';

/** The validation of one file among the reflections. */
export interface FileReport {
  /** Relative to the repository's root. */
  readonly path: string;
  /** `valid`: satisfies both schemas at its path; `aiwg_only`: satisfies AIWG's schema only; `invalid`: is never read. */
  readonly verdict: 'valid' | 'aiwg_only' | 'invalid';
  /** Violations of `schemas/reflection.schema.json`, and of the file's name and folder; paths are JSON pointers. */
  readonly problems: readonly SchemaProblem[];
  /** Violations of AIWG's published schema. */
  readonly aiwgProblems: readonly SchemaProblem[];
}

/** Validates all files among the reflections, or those of one loop. Never rejects for the content of a file. */
export async function validateReflections(repositoryRoot: string, loopId?: string): Promise<FileReport[]> {
  const reports: FileReport[] = [];
  for (const file of await listReflectionFiles(repositoryRoot, loopId)) {
    if (reports.length % TURN === TURN - 1) await nextTurn();
    reports.push(reportOn(file, readJsonSync(repositoryRoot, file)));
  }
  return reports;
}

function reportOn(file: ReflectionFile, json: { readonly value: unknown } | string): FileReport {
  const { path } = file;
  if (typeof json === 'string') {
    const problems = [problem(json, 'file')];
    return { path, verdict: 'invalid', problems, aiwgProblems: problems };
  }
  const { value } = json;
  const checked = validate('reflection', value);
  const misplaced = placeProblems(file, checked.ok ? checked.value : undefined);
  const problems = [...misplaced, ...(checked.ok ? [] : checked.problems)];
  const foreign = aiwgProblems(value);
  if (problems.length === 0) return { path, verdict: 'valid', problems, aiwgProblems: foreign };
  const readable = misplaced.length === 0 && foreign.length === 0;
  return { path, verdict: readable ? 'aiwg_only' : 'invalid', problems, aiwgProblems: foreign };
}

function placeProblems(file: ReflectionFile, reflection: Reflection | undefined): SchemaProblem[] {
  if (file.number === null) return [problem(NAME_PROBLEM, 'name')];
  const misplaced = reflection === undefined ? undefined : misplacement(reflection, file);
  return misplaced === undefined ? [] : [problem(misplaced, 'place')];
}

function problem(message: string, keyword: string): SchemaProblem {
  return { path: '', message, keyword, params: {} };
}
