/** A way to write an expression so that a reader does not see what it says. */
export interface Disguise {
  readonly name: string;
  /** An expression with the value of `expression`, which uses only globals and the builtin modules. */
  hide(expression: string): string;
}

const list = (text: string, add: number): string =>
  `[${[...text].map((char) => char.codePointAt(0)! + add).join(',')}]`;

/** Disguises by text that is read and evaluated. `jest` and the module's own names are no globals: those are not hidden. */
export function disguises(anyOf: (low: number, high: number) => number): readonly Disguise[] {
  const key = anyOf(1, 40);
  const run = (text: string): string => `(0, eval)(${text})`;
  return [
    { name: 'plain', hide: (it) => `(${it})` },
    { name: 'in base64', hide: (it) => run(`atob('${Buffer.from(`(${it})`).toString('base64')}')`) },
    {
      name: 'in hexadecimal',
      hide: (it) => run(`Buffer.from('${Buffer.from(`(${it})`).toString('hex')}', 'hex').toString()`),
    },
    {
      name: 'in shifted character codes',
      hide: (it) => run(`String.fromCharCode(...${list(`(${it})`, key)}.map((code) => code - ${key}))`),
    },
    {
      name: 'written backwards',
      hide: (it) =>
        run(`${JSON.stringify([...`(${it})`].toReversed().join(''))}.split('').reverse().join('')`),
    },
    {
      name: 'by the constructor of functions',
      hide: (it) => `[].constructor.constructor(${JSON.stringify(`return (${it})`)})()`,
    },
    {
      name: 'by the virtual machine',
      hide: (it) => `process.getBuiltinModule('node:vm').runInThisContext(${JSON.stringify(`(${it})`)})`,
    },
    {
      name: 'in a comment',
      hide: (it) =>
        `(0, eval)((() => { /*<${it.replaceAll('*/', '* /')}>*/ }).toString().replace(/^[^<]*</, '(').replace(/>[^>]*$/, ')'))`,
    },
  ];
}
