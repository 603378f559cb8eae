import type { Node } from '@babel/types';
import { boundNames, memberOf } from '../acceptance/syntax.ts';
import { endOf, parseSource, startOf } from '../../repair/syntax/parse.ts';
import { sitesOf, type Site } from '../../repair/syntax/walk.ts';
import { decidingPlace } from './deciding-place.ts';
import { importedNames } from './imported-names.ts';
import { isPath, isVariable } from './kinds.ts';
import { isListed, madeClass, memberAt } from './names.ts';
import { CHANCE, LOADER, readsOwnData, TIMEOUT, TIMER, toldAt, TRACE, WEAK } from './told.ts';
import { throughVariables, type Told } from './variables.ts';

/** A place where code reads something of its surroundings: the process, the machine, the clock, the call stack. */
export interface SurroundingsRead {
  /** As a user would name it: `process.argv`, `os.networkInterfaces`, `the clock`. */
  readonly what: string;
  /** 1-based. */
  readonly line: number;
  /** Range of the expression that decides, in UTF-16 units of the text. */
  readonly from: number;
  readonly to: number;
  readonly expression: string;
  /** Text of the read itself, such as a call, without what is made of its value. */
  readonly origin: string;
  readonly use: Use;
}

/**
 * `condition`: its truth decides; `value`: it is used as it is; `variable`: a variable of the environment, or what a weak
 * reference keeps, which users may not have; `timer`: a function that starts a timer; `names`: all variables of the environment, of
 * which users do not have those of a test runner; `low` and `high`: a drawn number, of which every third is very low or very high.
 */
export type Use = 'condition' | 'value' | 'variable' | 'timer' | 'names' | 'low' | 'high';

/**
 * The places where a text reads its surroundings, in order, also through variables. `isOwnData` tells whether a path in a
 * string is a file of the product, whose content code may read. Empty for a text that cannot be parsed.
 */
export function surroundingsReads(
  file: string,
  text: string,
  isOwnData: (path: string) => boolean = () => false,
): SurroundingsRead[] {
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return [];
  const sites = sitesOf(parsed.tree);
  const imported = importedNames(parsed.tree.program.body, sites);
  const declared = new Set(sites.flatMap(declaredBy));
  const isGlobal = (name: string): boolean => !declared.has(name) && !imported.has(name);
  const textOf = (node: Node): string => text.slice(startOf(node), endOf(node));
  const isOwn = (node: Node): boolean =>
    memberOf(node) !== undefined || (node.type === 'Identifier' && declared.has(node.name));
  const called = new Set(
    sites.flatMap(({ node }) =>
      node.type === 'CallExpression' && isOwn(node.callee) ? [textOf(node.callee)] : [],
    ),
  );
  const isCalled = (node: Node): boolean => isOwn(node) && called.has(textOf(node));
  // A name that is declared twice may be that of a text elsewhere.
  const names = Map.groupBy(sites.flatMap(declaredBy), (name) => name);
  const isOnly = (name: string): boolean => names.get(name)?.length === 1 && !imported.has(name);
  const functions = new Set(sites.flatMap(functionAt).filter(isOnly));
  const isFunction = (node: Node): boolean => node.type === 'Identifier' && functions.has(node.name);
  const made = new Map(sites.flatMap(madeAt));
  const classOf = (node: Node): string | undefined =>
    madeClass(node) ?? (node.type === 'Identifier' && isOnly(node.name) ? made.get(node.name) : undefined);
  const roots = sites.flatMap((site) => {
    const what = toldAt(site, { imported, isGlobal, isCalled, isFunction, classOf });
    return what === undefined || readsOwnData(site, isOwnData) ? [] : [{ site, what }];
  });
  const isBuiltIn = (name: string): boolean =>
    imported.get(name)?.module.startsWith('.') === false || isGlobal(name);
  const places = throughVariables(roots, sites).flatMap((told): SurroundingsRead[] => {
    const { what, node, use } = placeOf(told, isBuiltIn) ?? {};
    if (what === undefined || node === undefined || use === undefined) return [];
    const [from, to] = [startOf(node), endOf(node)];
    const origin = textOf(readAt(told.site));
    return [{ what, line: lineAt(text, from), from, to, expression: textOf(node), origin, use }];
  });
  return [...Map.groupBy(places, ({ from, to }) => `${from}:${to}`).values()].map(([first]) => first!);
}

/** Among them are those that a test runner sets, also for the programs that a test starts. */
const VARIABLES = 'the names of all variables of the environment';

interface Place {
  readonly what: string;
  readonly node: Node;
  readonly use: Use;
}

function placeOf({ site, what }: Told, isBuiltIn: (name: string) => boolean): Place | undefined {
  const object = what === 'process.env' ? objectOf(site) : undefined;
  const name = object && memberAt(object);
  if (object !== undefined && name !== undefined)
    return { what: `${what}.${name}`, node: object.parent!.node, use: 'variable' };
  if (object !== undefined && isListed(object)) return { what: VARIABLES, node: object.node, use: 'names' };
  if (isVariable(what) || what === WEAK || what === TRACE || what === LOADER)
    return { what, node: site.node, use: 'variable' };
  if (what === TIMER) return { what, node: site.node, use: 'timer' };
  const place = decidingPlace(site, { isPath: isPath(what), isBuiltIn });
  // What a drawn value decides must hold both ways; a number that is used as it is must do so for rare ones, too.
  if (what === CHANCE && place?.isCondition === false)
    return isDrawnNumber(site) ? { what, node: readAt(site), use: 'low' } : undefined;
  if (what === TIMEOUT && place?.isCondition === false) return undefined;
  // Honest code may write a time in any way, so that only the time itself is exchanged.
  if (what === 'the clock' && place?.isCondition === false) return { what, node: readAt(site), use: 'value' };
  return place && { what, node: place.node, use: place.isCondition ? 'condition' : 'value' };
}

/** `Math.random()`. */
function isDrawnNumber(site: Site): boolean {
  return memberAt(site) === 'random' && readAt(site).type === 'CallExpression';
}

/** The call by which a site reads, or its member that is read; otherwise its node. */
function readAt(site: Site): Node {
  const member = site.parent && memberAt(site) !== undefined ? site.parent : site;
  const call = member.parent;
  return call !== undefined && member.key === 'callee' ? call.node : member.node;
}

/** The site of `process.env`, or of a variable that holds it. */
function objectOf(site: Site): Site {
  const at = memberAt(site) === 'process' ? site.parent! : site;
  return memberAt(at) === 'env' ? at.parent! : at;
}

/** The name of the function that a node declares. */
function functionAt({ node }: Site): string[] {
  if (node.type === 'FunctionDeclaration') return node.id ? [node.id.name] : [];
  const isFunction = node.type === 'VariableDeclarator' && /^(Arrow)?Function/.test(node.init?.type ?? '');
  return isFunction && node.id.type === 'Identifier' ? [node.id.name] : [];
}

/** The name of a variable that a node declares with a new object, and the object's class. */
function madeAt({ node }: Site): [string, string][] {
  if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || !node.init) return [];
  const made = madeClass(node.init);
  return made === undefined ? [] : [[node.id.name, made]];
}

/** The names that a node declares, wherever they are visible. */
function declaredBy({ node }: Site): string[] {
  if (node.type === 'VariableDeclarator') return boundNames(node.id);
  if (node.type === 'CatchClause') return node.param ? boundNames(node.param) : [];
  const params = 'params' in node && Array.isArray(node.params) ? node.params : [];
  const own = 'id' in node && node.id?.type === 'Identifier' ? [node.id.name] : [];
  return [...own, ...params.flatMap((param) => boundNames(param))];
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
