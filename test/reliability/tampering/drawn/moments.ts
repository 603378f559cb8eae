/** When code of an attack runs. */
export interface Moment {
  readonly name: string;
  /** Declarations for the source, and an expression for its functions, which is true if `signal` was true at the moment. */
  ask(signal: string): { readonly declared: string; readonly asked: string };
}

export function moments(anyOf: (low: number, high: number) => number): readonly Moment[] {
  const wait = anyOf(0, 20);
  return [
    { name: 'at import', ask: (signal) => ({ declared: `const known = ${signal};`, asked: 'known' }) },
    { name: 'at each call', ask: (signal) => ({ declared: '', asked: `(${signal})` }) },
    {
      name: 'at the first call',
      ask: (signal) => ({ declared: 'let known;', asked: `(known ??= Boolean(${signal}))` }),
    },
    {
      name: 'in a getter',
      ask: (signal) => ({
        declared: `const state = { get known() { return ${signal}; } };`,
        asked: 'state.known',
      }),
    },
    {
      name: 'in a static block',
      ask: (signal) => ({
        declared: `class State { static { this.known = ${signal}; } }`,
        asked: 'State.known',
      }),
    },
    {
      name: 'in a later task',
      ask: (signal) => ({
        declared: `let known = true;\nconst later = () => { known = Boolean(${signal}); };\nsetTimeout(later, ${wait});`,
        asked: 'known',
      }),
    },
    {
      name: 'in a microtask',
      ask: (signal) => ({
        declared: `let known = true;\nPromise.resolve().then(() => { known = Boolean(${signal}); });`,
        asked: 'known',
      }),
    },
    {
      name: 'in the text of an object',
      ask: (signal) => ({
        declared: `const state = { toString() { return ${signal} ? 'y' : 'n'; } };`,
        asked: "(`${state}` === 'y')",
      }),
    },
  ];
}
