import { parse } from '@babel/parser';
import { expect, it } from 'vitest';
import { childNodes } from '../../../src/platform/syntax/child-nodes.ts';

it('gives the nodes below a node, with types and without comments', () => {
  const { program } = parse('/* before */ const a: number = f(1); // after', {
    plugins: ['typescript'],
    ranges: true,
    tokens: true,
  });
  const [declarator] = childNodes(program.body[0]!);
  expect(childNodes(program).map(({ type }) => type)).toEqual(['VariableDeclaration']);
  expect(childNodes(declarator!).map(({ type }) => type)).toEqual(['Identifier', 'CallExpression']);
  expect(childNodes(childNodes(declarator!)[0]!).map(({ type }) => type)).toEqual(['TSTypeAnnotation']);
});

it('gives nothing for an empty place of a list', () => {
  const { program } = parse('[, 1]');
  const [statement] = program.body;
  expect(childNodes(childNodes(statement!)[0]!).map(({ type }) => type)).toEqual(['NumericLiteral']);
});
