/** Runs test files under node:test and writes what it saw as JSON: `node node-test-report.ts <report> <files…>`. */
import { globSync, writeFileSync } from 'node:fs';
import { run } from 'node:test';

interface Seen {
  readonly file: string;
  readonly name: string;
  readonly passed: boolean;
  readonly message: string;
}

interface Ended {
  readonly name: string;
  readonly nesting: number;
  readonly file?: string;
  readonly details: { readonly type?: string; readonly error?: Error & { readonly failureType?: string } };
}

const [report, ...named] = process.argv.slice(2);
const files = named.flatMap((name) =>
  name.endsWith('/') ? globSync(`${name}**/*.test.{js,ts,mjs,cjs}`) : [name],
);
const seen: Seen[] = [];
const path: string[] = [];

const add =
  (passed: boolean) =>
  ({ name, nesting, file, details }: Ended): void => {
    path.length = nesting;
    if (details.type === 'suite' || details.error?.failureType === 'subtestsFailed') return;
    const { cause } = details.error ?? {};
    const message = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? '');
    seen.push({ file: file ?? '', name: [...path, name].join(' > '), passed, message });
  };

const stream = run({ files, concurrency: true });
stream.on('test:start', ({ name, nesting }) => {
  path.length = nesting;
  path[nesting] = name;
});
stream.on('test:pass', add(true) as never);
stream.on('test:fail', add(false) as never);
stream.on('end', () => writeFileSync(report!, JSON.stringify(seen)));
stream.resume();
