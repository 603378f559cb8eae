import { expect, test } from 'vitest';
import { withCache } from '../../../src/checks/tools/cached-line.ts';

const CACHED = '--cache --cache-strategy content --cache-location /caches/lint/prettier.json';

test.each([
  ['prettier --check .', `prettier --check . ${CACHED}`],
  ["npx prettier -c 'src/**/*.ts'", `npx prettier -c 'src/**/*.ts' ${CACHED}`],
  ['prettier --check . --cache', 'prettier --check . --cache'],
  ['prettier --check . && tsd', 'prettier --check . && tsd'],
  ['xo', 'xo'],
])('%s', (line, expected) => {
  expect(withCache(line, { fresh: false, cacheDir: '/caches/lint' })).toBe(expected);
  expect(withCache(line, { fresh: true, cacheDir: '/caches/lint' })).toBe(line);
});
