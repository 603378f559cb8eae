import { proposeAnnotationEdits, type AnnotationEdit } from './annotation-edits.ts';
import type { TypePlace, TypeProblem, TypeProject } from './type-project.ts';

/** A project that is open in the compiler, and its files as ralph names them. */
export interface OpenProject {
  readonly project: TypeProject;
  /** Whether the file with this absolute path is a source of the project. */
  readonly mayChange: (path: string) => boolean;
  /** An absolute path, relative to the root of the tree. */
  readonly nameOf: (path: string) => string;
}

/** An edit of the annotations in the file with this absolute path. */
export type PlacedEdit = AnnotationEdit & { readonly path: string };

/** Factors on the priors of annotations that an error does not name itself. */
const BEHIND_NAME = 0.95;
const BEHIND_TYPE = 0.7;

/** Annotations around an error, of the names on its lines and of the types that those name, most natural first. */
export async function annotationsNear(
  problem: TypeProblem,
  { project, mayChange, nameOf }: OpenProject,
): Promise<PlacedEdit[]> {
  const own: TypePlace[] = [{ path: problem.path, start: problem.start }, ...problem.related];
  const named = await definitionsOf(project, namesIn(project.textOf(problem.path), problem));
  const behind = await definitionsOf(
    project,
    named.filter(({ path }) => mayChange(path)).flatMap((place) => namesAfter(project, place)),
  );
  const levels = [
    [own, 1],
    [named, BEHIND_NAME],
    [behind, BEHIND_TYPE],
  ] as const;
  const edits = levels.flatMap(([places, factor]) =>
    [...Map.groupBy(places, ({ path }) => path)]
      .filter(([path]) => mayChange(path))
      .flatMap(([path, at]) => {
        const offsets = at.map(({ start }) => start);
        const text = project.textOf(path);
        const request = { file: nameOf(path), text, offsets, message: problem.message };
        return proposeAnnotationEdits(request).map((edit) => ({ ...edit, path, prior: edit.prior * factor }));
      }),
  );
  const unique = new Map(edits.toReversed().map((edit) => [`${edit.path}\0${edit.text}`, edit]));
  return [...unique.values()].toReversed().sort((a, b) => b.prior - a.prior);
}

const MAX_NAMES = 24;

async function definitionsOf(project: TypeProject, names: readonly TypePlace[]): Promise<TypePlace[]> {
  const found: TypePlace[] = [];
  for (const name of names.slice(0, MAX_NAMES)) found.push(...(await project.definitionsAt(name)));
  const unique = new Map(found.map((place) => [`${place.path}\0${place.start}`, place]));
  return [...unique.values()];
}

/** Names on the lines of an error, those in the error itself first. */
function namesIn(text: string, { path, start, length }: TypeProblem): TypePlace[] {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', start + length);
  const names = placesOfNames(path, text, from, next < 0 ? text.length : next);
  const isInside = (place: TypePlace): boolean => start <= place.start && place.start < start + length;
  return [...names.filter(isInside), ...names.filter((place) => !isInside(place))];
}

/** Names of types in the declaration at a place: its line and the next one. */
function namesAfter(project: TypeProject, { path, start }: TypePlace): TypePlace[] {
  const text = project.textOf(path);
  const line = text.indexOf('\n', start);
  const end = line < 0 ? text.length : line;
  return placesOfNames(path, text, start, end).filter((place) => /[A-Z]/.test(text[place.start]!));
}

function placesOfNames(path: string, text: string, from: number, to: number): TypePlace[] {
  return [...text.slice(from, to).matchAll(/[A-Za-z_$][\w$]*/g)].map(({ index }) => ({
    path,
    start: from + index,
  }));
}
