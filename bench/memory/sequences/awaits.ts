import type { Sequence } from '../sequence.ts';

/** A service with missing awaits, and two bugs of other kinds. */
export const awaits: Sequence = {
  name: 'awaits',
  slips: [
    {
      module: 'users',
      right: 'await store.find(id)',
      wrong: 'store.find(id)',
      source: `/** Name to greet a user by. */
export async function greetingFor(store, id) {
  const user = await store.find(id);
  return user.name === undefined ? 'Hello' : 'Hello, ' + user.name;
}

export const memoryStore = (users) => ({ find: async (id) => users[id] });
`,
      cases: [
        ["await greetingFor(memoryStore({ 7: { name: 'Ada' } }), 7)", "'Hello, Ada'"],
        ['await greetingFor(memoryStore({ 8: {} }), 8)', "'Hello'"],
      ],
    },
    {
      module: 'totals',
      right: 'await prices.of(article)',
      wrong: 'prices.of(article)',
      source: `/** What an order costs, in cents. */
export async function orderTotal(prices, lines) {
  let total = 0;
  for (const { article, count } of lines) {
    const price = await prices.of(article);
    total += price * count;
  }
  return total;
}

export const priceList = (cents) => ({ of: async (article) => cents[article] ?? 0 });
`,
      cases: [
        ["await orderTotal(priceList({ nail: 5 }), [{ article: 'nail', count: 10 }])", '50'],
        ["await orderTotal(priceList({}), [{ article: 'nail', count: 1 }])", '0'],
        ['await orderTotal(priceList({}), [])', '0'],
      ],
    },
    {
      module: 'session',
      right: 'await tokens.check(token)',
      wrong: 'tokens.check(token)',
      source: `/** Whether a token lets somebody in. */
export async function mayEnter(tokens, token) {
  if (token === '') return false;
  const known = await tokens.check(token);
  return known ? true : false;
}

export const tokenList = (list) => ({ check: async (token) => list.includes(token) });
`,
      cases: [
        ["await mayEnter(tokenList(['x']), 'x')", 'true'],
        ["await mayEnter(tokenList(['x']), 'y')", 'false'],
        ["await mayEnter(tokenList([]), '')", 'false'],
      ],
    },
    {
      module: 'merge',
      right: '{ ...defaults, ...given }',
      wrong: '{ ...given, ...defaults }',
      source: `const defaults = { retries: 3, timeout: 1000 };

/** Options with the defaults where nothing is given. */
export function withDefaults(given) {
  return { ...defaults, ...given };
}

export function isPatient(given) {
  return withDefaults(given).timeout > 5000;
}
`,
      cases: [
        ['withDefaults({}).retries', '3'],
        ['withDefaults({ retries: 1 }).retries', '1'],
        ['isPatient({ timeout: 9000 })', 'true'],
      ],
    },
    {
      module: 'cache',
      right: 'await load(key)',
      wrong: 'load(key)',
      source: `/** A function that loads each key once and says what it holds. */
export function createCache(load) {
  const held = new Map();
  return async (key) => {
    if (!held.has(key)) {
      const value = await load(key);
      held.set(key, value);
    }
    return { key, size: String(held.get(key)).length };
  };
}
`,
      cases: [
        ["await createCache(async (key) => key + key)('ab')", "{ key: 'ab', size: 4 }"],
        ["await createCache(async () => '')('ab')", "{ key: 'ab', size: 0 }"],
      ],
    },
    {
      module: 'uploads',
      right: 'await scan(file)',
      wrong: 'scan(file)',
      source: `/** Names of the files that a scanner lets through, in their order. */
export async function acceptedFiles(files, scan) {
  const names = [];
  for (const file of files) {
    const verdict = await scan(file);
    if (verdict.clean) names.push(file.name);
  }
  return names;
}

export const sizeScan = (limit) => async ({ size }) => ({ clean: size <= limit });
`,
      cases: [
        ["await acceptedFiles([{ name: 'a', size: 1 }, { name: 'b', size: 9 }], sizeScan(5))", "['a']"],
        ['await acceptedFiles([], sizeScan(5))', '[]'],
      ],
    },
    {
      module: 'retry',
      right: 'attempt < limit',
      wrong: 'attempt <= limit',
      source: `/** Tries at most so often; gives how often it tried, or rejects with the last error. */
export async function retry(work, limit) {
  let last;
  for (let attempt = 0; attempt < limit; attempt++) {
    try {
      await work(attempt);
      return attempt + 1;
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

export async function outcomeOf(work, limit) {
  try {
    return await retry(work, limit);
  } catch (error) {
    return error.message;
  }
}
`,
      cases: [
        ['await outcomeOf(async () => {}, 2)', '1'],
        ['await outcomeOf(async (n) => { throw new Error(`no ${n}`); }, 2)', "'no 1'"],
        ["await outcomeOf(async (n) => { if (n < 1) throw new Error('no'); }, 3)", '2'],
      ],
    },
    {
      module: 'report',
      right: 'await source.rows()',
      wrong: 'source.rows()',
      source: `/** Rows of a source as lines, the head first. */
export async function renderReport(source, separator = ',') {
  const head = source.columns.join(separator);
  const rows = await source.rows();
  if (rows.length === 0 || rows.length === undefined) return head;
  return [head, ...rows.map((row) => row.join(separator))].join('|');
}

export const fixedSource = (columns, rows) => ({ columns, rows: async () => rows });
`,
      cases: [
        ["await renderReport(fixedSource(['a', 'b'], [[1, 2]]))", "'a,b|1,2'"],
        ["await renderReport(fixedSource(['a'], []))", "'a'"],
      ],
    },
    {
      module: 'queue',
      right: 'await handle(job)',
      wrong: 'handle(job)',
      source: `/** Works through jobs one after another; gives the results by name. */
export async function workThrough(jobs, handle) {
  const results = {};
  for (const job of jobs) {
    const result = await handle(job);
    results[job.name] = result === undefined ? 'nothing' : result;
  }
  return results;
}
`,
      cases: [
        ["await workThrough([{ name: 'a', n: 1 }], async ({ n }) => n + 1)", '{ a: 2 }'],
        ["await workThrough([{ name: 'b' }], async () => {})", "{ b: 'nothing' }"],
        ['await workThrough([], async () => 1)', '{}'],
      ],
    },
    {
      module: 'health',
      right: 'await probe()',
      wrong: 'probe()',
      source: `/** Names of the services that answer. */
export async function alive(probes) {
  const found = [];
  for (const [name, probe] of Object.entries(probes)) {
    if (await probe()) found.push(name);
  }
  return found;
}

export async function summary(probes) {
  const up = await alive(probes);
  return up.length + ' of ' + Object.keys(probes).length;
}
`,
      cases: [
        ['await alive({ db: async () => true, mail: async () => false })', "['db']"],
        ['await summary({ db: async () => false })', "'0 of 1'"],
        ['await summary({ db: async () => true })', "'1 of 1'"],
      ],
    },
  ],
};
