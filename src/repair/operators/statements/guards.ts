import type { Node } from '@babel/types';
import type { Binding } from '../../syntax/bindings.ts';
import { inLoop, inStatementList, isFunction, nearest, type Site } from '../../syntax/walk.ts';
import { isCallable, kindOfBinding } from '../binding-kinds.ts';
import type { Operator, SourceView } from '../operator.ts';
import { insertAt, together } from '../proposals.ts';

/** Inserts `if (x == null) return …;`, `if (x.length === 0) return …;` or the like at the start of a function. */
export const guard: Operator = {
  name: 'guard',
  prior: 0.35,
  *propose(site, source) {
    if (site.node.type !== 'BlockStatement' || site.parent === undefined || !isFunction(site.parent.node))
      return;
    const owner = site.parent.node as { params?: Node[]; generator?: boolean; kind?: string };
    if (owner.kind === 'constructor' || owner.generator === true) return;
    const first = site.node.body[0];
    if (first === undefined) return;
    const params = source
      .visibleAt(inside(site))
      .filter(({ kind, owner: at }) => kind === 'param' && at === site.parent!.node.start!);
    for (const param of params.slice(0, 4)) {
      for (const [test, factor] of tests(param, source)) {
        for (const [value, worth] of results(params, source)) {
          yield insertAt(first.start!, `if (${test}) return${value};\n`, factor * worth);
        }
      }
    }
  },
};

/** Makes a statement conditional, by a condition of its function or a comparison of two loop variables. */
export const conditional: Operator = {
  name: 'conditional',
  prior: 0.3,
  *propose(site, source) {
    const { node } = site;
    if (!/^(Expression|Return|Break|Continue|Throw)Statement$/.test(node.type)) return;
    if (!inStatementList(site) && !/^(body|consequent|alternate)$/.test(site.key)) return;
    for (const [test, factor] of localConditions(site, source)) {
      const danglingElse =
        site.key === 'consequent' && (site.parent?.node as { alternate?: unknown }).alternate;
      const [open, close] = danglingElse ? ['{ ', ' }'] : ['', ''];
      yield together(
        [insertAt(node.start!, `${open}if (${test}) `), insertAt(node.end!, close)].slice(
          0,
          close === '' ? 1 : 2,
        ),
        factor,
      );
    }
  },
};

/** The block's site, moved past its opening brace so that visibility is that of its content. */
function inside(site: Site): Site {
  return { ...site, node: { ...site.node, start: site.node.start! + 1 } };
}

function tests(param: Binding, source: SourceView): [string, number][] {
  const { name } = param;
  switch (kindOfBinding(param, source)) {
    case 'number':
      return [
        [`${name} === 0`, 1],
        [`${name} < 0`, 0.8],
        [`${name} <= 0`, 0.7],
        [`${name} === 1`, 0.7],
        [`${name} < 2`, 0.6],
      ];
    case 'array':
      return [
        [`${name}.length === 0`, 1],
        [`!${name}`, 0.7],
        [`${name}.length === 1`, 0.4],
      ];
    case 'string':
      return [
        [`${name} === ''`, 1],
        [`!${name}`, 0.8],
        [`${name}.length === 1`, 0.4],
      ];
    case 'function':
      return [];
    default:
      return [
        [`${name} == null`, 1],
        [`!${name}`, 0.8],
        [`${name}.length === 0`, 0.7],
        [`${name} === 0`, 0.4],
        [`${name} < 0`, 0.4],
      ];
  }
}

function results(params: readonly Binding[], source: SourceView): [string, number][] {
  const expected = source.literals.expected.slice(0, 5).map((value): [string, number] => [` ${value}`, 1]);
  const usual = ['null', 'false', 'true', '0', '1', '-1', "''", '[]', '{}'].map((value): [string, number] => [
    ` ${value}`,
    0.5,
  ]);
  const own = params.slice(0, 2).map(({ name }): [string, number] => [` ${name}`, 0.4]);
  return [...expected, ...usual, ['', 0.4], ...own];
}

function* localConditions(site: Site, source: SourceView): Generator<[string, number]> {
  const names = loopNames(site, source);
  for (const [index, a] of names.entries()) {
    for (const b of names.slice(index + 1)) {
      for (const operator of ['===', '!==', '<', '>'])
        yield [`${a} ${operator} ${b}`, operator === '===' ? 1 : 0.7];
    }
  }
  if (inLoop(site)) {
    for (const { name } of source
      .visibleAt(site)
      .filter((binding) => binding.kind === 'let' && !isCallable(binding, source))
      .slice(0, 4)) {
      yield [name, 0.4];
      yield [`!${name}`, 0.4];
    }
  }
  yield* ownConditions(site, source);
}

function* ownConditions(site: Site, source: SourceView): Generator<[string, number]> {
  const seen = new Set<string>();
  for (const { node, key } of source.withinFunction(site)) {
    if (key !== 'test' || seen.size === 6) continue;
    const text = source.textOf(node);
    if (text.length > 50 || seen.has(text)) continue;
    seen.add(text);
    yield [text, 0.5];
    yield [`!(${text})`, 0.4];
  }
}

/** Variables of the loops around the site, innermost first. */
function loopNames(site: Site, source: SourceView): string[] {
  const names: string[] = [];
  for (
    let at = nearest(site, isLoopWithName);
    at !== undefined;
    at = at.parent && nearest(at.parent, isLoopWithName)
  ) {
    const head = at.node as { left?: Node; init?: Node };
    const declaration = head.left ?? head.init;
    const declared =
      declaration?.type === 'VariableDeclaration' ? declaration.declarations[0]?.id : declaration;
    if (declared?.type === 'Identifier') names.push(source.textOf(declared));
  }
  return names.slice(0, 3);
}

function isLoopWithName({ type }: Node): boolean {
  return /^For(|Of|In)Statement$/.test(type);
}
