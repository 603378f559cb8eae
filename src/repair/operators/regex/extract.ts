import { Precedence } from '../../syntax/precedence.ts';
import { isRead } from '../../syntax/reads.ts';
import type { Site } from '../../syntax/walk.ts';
import type { Operator, SourceView } from '../operator.ts';
import { replaceSite } from '../proposals.ts';

const MAX_PATTERNS = 6;
const MAX_TEXTS = 3;

/** `x.split('/')[0]` → `PATTERN.exec(x)?.[0] ?? ''`: takes a part of a text by a pattern of the file. */
export const regexExtract: Operator = {
  name: 'regex-extract',
  prior: 0.4,
  *propose(site, source) {
    if (!isPartOfText(site, source)) return;
    const patterns = source.visibleAt(site).filter(({ init }) => init?.type === 'RegExpLiteral');
    for (const { name, init } of patterns.slice(0, MAX_PATTERNS)) {
      const hasGroup = init?.type === 'RegExpLiteral' && /(^|[^\\])\((?!\?)/.test(init.pattern);
      for (const text of textsIn(site, source)) {
        yield replaceSite(site, `${name}.exec(${text})?.[0] ?? ''`, Precedence.conditional, 1);
        if (hasGroup)
          yield replaceSite(site, `${name}.exec(${text})?.[1] ?? ''`, Precedence.conditional, 0.9);
      }
    }
  },
};

/** An initial or returned value that calls methods of a text. */
function isPartOfText(site: Site, source: SourceView): boolean {
  const { node, key, parent } = site;
  const isWhole =
    (key === 'init' && parent?.node.type === 'VariableDeclarator') ||
    (key === 'argument' && parent?.node.type === 'ReturnStatement');
  if (!isWhole || !isRead(site) || !/^(Logical|Call|Member)Expression$/.test(node.type)) return false;
  return source
    .within(node)
    .some(
      ({ node: part }) =>
        part.type === 'MemberExpression' &&
        part.property.type === 'Identifier' &&
        /^(split|slice|substring|substr|match|charAt)$/.test(part.property.name),
    );
}

/** Names and calls in the value, the shortest last. */
function textsIn({ node }: Site, source: SourceView): string[] {
  const texts = source.within(node).flatMap(({ node: part, key }) => {
    const isText =
      (part.type === 'Identifier' || part.type === 'CallExpression') && /^(object|arguments)$/.test(key);
    return isText && source.kindOf(part) !== 'array' && source.textOf(part).length <= 30
      ? [source.textOf(part)]
      : [];
  });
  return [...new Set(texts)].slice(0, MAX_TEXTS);
}
