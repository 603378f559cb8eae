/** The part of GitHub's expression language that action.yml and the example workflow use. (docs.github.com: expressions) */

export type Contexts = Readonly<Record<string, unknown>>;

const TOKEN = /\s*(?:('(?:[^']|'')*')|(\|\||&&|==|!=|!|\(|\)|,)|(\d+)|([A-Za-z_][\w.-]*))/y;

/** The value of an expression. Throws for what is not in the part that is known here. */
export function evaluate(expression: string, contexts: Contexts): unknown {
  const tokens = tokenize(expression);
  let at = 0;
  const peek = (): string | undefined => tokens[at];
  const take = (wanted?: string): string => {
    const token = tokens[at++];
    if (token === undefined || (wanted !== undefined && token !== wanted))
      throw new Error(`${wanted ?? 'more'} is missing in ${expression}`);
    return token;
  };
  const or = (): unknown => {
    let left = and();
    while (peek() === '||') {
      take();
      const right = and();
      left = isTrue(left) ? left : right;
    }
    return left;
  };
  const and = (): unknown => {
    let left = comparison();
    while (peek() === '&&') {
      take();
      const right = comparison();
      left = isTrue(left) ? right : left;
    }
    return left;
  };
  const comparison = (): unknown => {
    const left = unary();
    if (peek() !== '==' && peek() !== '!=') return left;
    const isEqual = take() === '==';
    return (same(left) === same(unary())) === isEqual;
  };
  const unary = (): unknown => {
    if (peek() === '!') return take() && !isTrue(unary());
    if (peek() === '(') {
      take();
      const value = or();
      take(')');
      return value;
    }
    const token = take();
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
    if (/^\d+$/.test(token)) return Number(token);
    if (peek() === '(') return call(token);
    return token === 'true' ? true : token === 'false' ? false : lookUp(token, contexts);
  };
  const call = (name: string): unknown => {
    take('(');
    const given: unknown[] = [];
    while (peek() !== ')') {
      given.push(or());
      if (peek() === ',') take();
    }
    take(')');
    if (name === 'always') return true;
    if (name === 'contains') return textOf(given[0]).toLowerCase().includes(textOf(given[1]).toLowerCase());
    throw new Error(`${name}() is not known here`);
  };
  const value = or();
  if (at < tokens.length) throw new Error(`${tokens[at]} is too much in ${expression}`);
  return value;
}

/** A text with `${{ … }}` in it. */
export function interpolate(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => textOf(evaluate(expression, contexts)));
}

/** An `if`, with or without `${{ }}`; without a function of status, only after success. */
export function holds(condition: string, contexts: Contexts, hasFailed: boolean): boolean {
  const expression = condition.trim().replace(/^\$\{\{(.*)\}\}$/s, '$1');
  if (hasFailed && !expression.includes('always()')) return false;
  return isTrue(evaluate(expression, contexts));
}

function tokenize(expression: string): string[] {
  const tokens: string[] = [];
  const text = expression.trim();
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length;) {
    const found = TOKEN.exec(text);
    if (found === null) throw new Error(`Cannot read ${expression}`);
    tokens.push(found[0].trim());
  }
  return tokens;
}

function lookUp(path: string, contexts: Contexts): unknown {
  const [first = '', ...rest] = path.split('.');
  if (!(first in contexts)) throw new Error(`There is no context ${first} (${path}).`);
  return rest.reduce<unknown>(
    (value, name) => (value as Contexts | null | undefined)?.[name],
    contexts[first],
  );
}

function isTrue(value: unknown): boolean {
  return value !== '' && value !== 0 && value !== false && value !== null && value !== undefined;
}

/** GitHub compares texts in any case, and nothing with the empty text as equal. */
function same(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : (value ?? '');
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}
