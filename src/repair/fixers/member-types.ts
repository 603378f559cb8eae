/** Runs as a separate process: finds members with a fitting type, by the repository's own TypeScript 5 or 6. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import type ts from 'typescript';
import { parseConfig, projectsOf } from './type-service.ts';

/** The request that the process reads from stdin as JSON. */
export interface MemberTypesRequest {
  /** Absolute path of the tree. */
  readonly root: string;
  /** Absolute path of the tsconfig. */
  readonly config: string;
  /** Sources to look at, relative to the root. */
  readonly files: readonly string[];
  /** Absolute path of the file for the result. */
  readonly output: string;
}

/** By file: 0-based UTF-16 offsets of member names, each with other members whose type fits there, best first. */
export type MemberTypes = Readonly<
  Record<string, readonly (readonly [offset: number, names: readonly string[]])[]>
>;

const MAX_NAMES = 12;
const MAX_PLACES = 3000;

function memberTypes({ root, config, files }: MemberTypesRequest): MemberTypes {
  const api = createRequire(config)('typescript') as typeof ts;
  const members: Record<string, [number, string[]][]> = {};
  for (const project of projectsOf(api, config)) {
    const { fileNames, options } = parseConfig(api, project);
    const program = api.createProgram(fileNames, { ...options, noEmit: true });
    for (const file of files) {
      const source = program.getSourceFile(join(root, file));
      if (source !== undefined) members[file] ??= membersIn(api, program.getTypeChecker(), source);
    }
  }
  return members;
}

function membersIn(api: typeof ts, checker: ts.TypeChecker, source: ts.SourceFile): [number, string[]][] {
  const places: [number, string[]][] = [];
  const visit = (node: ts.Node): void => {
    if (places.length >= MAX_PLACES) return;
    if (api.isPropertyAccessExpression(node) && api.isIdentifier(node.name)) {
      const names = namesFor(checker, node);
      if (names.length > 0) places.push([node.name.getStart(source), names]);
    }
    api.forEachChild(node, visit);
  };
  visit(source);
  return places;
}

/** Members of the same type first, then assignable ones, each in the order of declaration. */
function namesFor(checker: ts.TypeChecker, node: ts.PropertyAccessExpression): string[] {
  const own = checker.getTypeAtLocation(node.name);
  const properties = checker.getTypeAtLocation(node.expression).getApparentProperties();
  const fitting = properties.flatMap((property) => {
    const { name } = property;
    if (name === node.name.text || !/^[A-Za-z_$][\w$]*$/.test(name)) return [];
    const type = checker.getTypeOfSymbolAtLocation(property, node);
    const isSame = checker.typeToString(type) === checker.typeToString(own);
    return isSame || checker.isTypeAssignableTo(type, own) ? [{ name, isSame }] : [];
  });
  fitting.sort((a, b) => Number(b.isSame) - Number(a.isSame));
  return fitting.slice(0, MAX_NAMES).map(({ name }) => name);
}

const request = JSON.parse(await readText(process.stdin)) as MemberTypesRequest;
writeFileSync(request.output, JSON.stringify(memberTypes(request)));
