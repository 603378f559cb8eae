import type { Node } from '@babel/types';
import { endOf, startOf } from '../../repair/syntax/parse.ts';
import {
  bare,
  functionOf,
  inStatementList,
  isFunction,
  isLoneBody,
  nearest,
  sitesOf,
  type Site,
} from '../../repair/syntax/walk.ts';
import { addedIn, partOf } from './added-parts.ts';
import type { ChangedSource } from './changed-source.ts';
import type { RevertedBlock } from './reverted-blocks.ts';

/** Most statements of a change that are taken out. */
const MAX_STATEMENTS = 8;
/** Notes for whoever looks for a fault, which no test is written for. */
const DEBUGS = /^(?:debug|trace|assert)$/;
/** What a careful author cleans up without a test. */
const CLEANS =
  /^_?(?:abort|cancel|clean|clear|close|delete|destroy|detach|disconnect|dispose|drain|end|finish|flush|free|off|release|remove|reset|revoke|rm|stop|terminate|unlink|unlock|unsubscribe|unwatch)(?:[A-Z_].*|Sync)?$/;

/**
 * The statements that a change adds to a block for what they do beside its result, each with the edit that takes it out: a call
 * whose value nobody uses, and a value that is set in an object which the function did not make. New functions, cleaning up and notes for the search
 * of faults are none.
 */
export function addedEffects(sources: readonly ChangedSource[]): RevertedBlock[] {
  return sources.flatMap(effectsIn).slice(0, MAX_STATEMENTS);
}

function effectsIn(source: ChangedSource): RevertedBlock[] {
  const isAdded = addedIn(source);
  const { blocks, parsed } = source;
  const before = blocks.flatMap((block) => block.before).join('\n');
  return sitesOf(parsed.tree.program).flatMap((site): RevertedBlock[] => {
    const { node } = site;
    if (node.type !== 'ExpressionStatement' || !(inStatementList(site) || isLoneBody(site))) return [];
    if (!isAdded(node) || isNewFunction(site, isAdded) || !isOutward(site, node.expression)) return [];
    // A call that the block made before is another one of the same kind: its place is judged as a whole.
    const name = calledBy(node.expression);
    if (name !== undefined && before.includes(`${name}(`)) return [];
    const edit = { start: startOf(node), end: endOf(node), replacement: isLoneBody(site) ? '{}' : '' };
    const part = partOf(source, edit);
    return part === undefined ? [] : [part];
  });
}

/** Whether all of the outermost function around a statement is new: new functions need no test. */
function isNewFunction(site: Site, isAdded: (node: Node) => boolean): boolean {
  let outermost: Node | undefined;
  for (let at: Site | undefined = site; at !== undefined; at = at.parent)
    if (isFunction(at.node)) outermost = at.node;
  return outermost !== undefined && isAdded(outermost);
}

/** Whether a statement changes or tells something outside of its function. */
function isOutward(site: Site, given: Node): boolean {
  const node = bare(given.type === 'AwaitExpression' ? given.argument : given);
  if (node.type === 'AssignmentExpression') {
    const target = bare(node.left);
    return target.type === 'MemberExpression' && !isOwn(site, target);
  }
  if (node.type !== 'CallExpression' && node.type !== 'OptionalCallExpression') return false;
  const name = calledBy(node);
  return (
    name !== undefined && !CLEANS.test(name) && !DEBUGS.test(name) && !isOwn(site, bare(node.callee as Node))
  );
}

/** The last name of what is called. */
function calledBy(given: Node): string | undefined {
  const node = bare(given.type === 'AwaitExpression' ? given.argument : given);
  if (node.type !== 'CallExpression' && node.type !== 'OptionalCallExpression') return undefined;
  const callee = bare(node.callee as Node);
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression' && callee.type !== 'OptionalMemberExpression') return undefined;
  return callee.property.type === 'Identifier' ? callee.property.name : undefined;
}

const MAKES = /^(?:Array|Object|New|ArrowFunction|Function)Expression$/;

/** Whether the object of a member was made by the same function. */
function isOwn(site: Site, given: Node): boolean {
  let node = given;
  while (node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression')
    node = bare(node.object);
  if (node.type !== 'Identifier' || node === given) return false;
  const { name } = node;
  const home = functionOf(site) ?? nearest(site, ({ type }) => type === 'Program');
  if (home === undefined) return false;
  return sitesOf(home.node).some(
    ({ node: own }) =>
      own.type === 'VariableDeclarator' &&
      own.id.type === 'Identifier' &&
      own.id.name === name &&
      own.init &&
      MAKES.test(bare(own.init).type),
  );
}
