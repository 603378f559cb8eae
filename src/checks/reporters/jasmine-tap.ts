/**
 * Runs inside jasmine as `--reporter=<this file>` and prints TAP: one test point for each spec, with its suites in its
 * name. Jasmine has no machine-readable reporter of its own.
 */
interface Expectation {
  readonly message?: string;
  readonly stack?: string;
  /** Empty for an error that was thrown. */
  readonly matcherName?: string;
}

interface SpecResult {
  readonly description: string;
  readonly status: string;
  readonly failedExpectations?: readonly Expectation[];
}

interface Environment {
  clearReporters(): void;
  addReporter(reporter: object): void;
}

const write = process.stdout.write.bind(process.stdout);
/** `Expected 3 to be 4.`, with values that mean the same in YAML. */
const COMPARED = /^Expected (.+) to (?:be|equal) (.+)\.$/;
const PLAIN = /^(-?\d+(\.\d+)?|true|false|null|'[^']*')$/;
const THROWN = /^(?:Uncaught |Unhandled promise rejection: )?(\w*(?:Error|Exception)): ([\s\S]*)$/;

class JasmineTap {
  #points = 0;
  readonly #suites: string[] = [];

  /** A helper of the specs may replace all reporters by its own: this one stays beside them. */
  constructor() {
    const env = (globalThis as { jasmine?: { getEnv?(): Environment } }).jasmine?.getEnv?.();
    if (env === undefined) return;
    const clear = env.clearReporters.bind(env);
    env.clearReporters = () => {
      clear();
      env.addReporter(this);
    };
  }

  jasmineStarted(): void {
    write('TAP version 13\n');
  }

  suiteStarted({ description }: SpecResult): void {
    this.#suites.push(description);
  }

  specDone(spec: SpecResult): void {
    const isSkipped = spec.status === 'pending' || spec.status === 'excluded';
    this.#point([...this.#suites, spec.description], spec, isSkipped);
  }

  /** A suite fails by what its `afterAll` and the code around its specs do. */
  suiteDone(suite: SpecResult): void {
    if (isFailed(suite)) this.#point([...this.#suites, '(suite)'], suite, false);
    this.#suites.pop();
  }

  jasmineDone(run: SpecResult): void {
    if (isFailed(run)) this.#point(['(file)'], run, false);
    write(`\n1..${this.#points}\n`);
  }

  #point(path: readonly string[], result: SpecResult, isSkipped: boolean): void {
    const name = path
      .join(' > ')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/[\\#]/g, String.raw`\$&`);
    const failed = !isSkipped && isFailed(result);
    // A test may have printed the beginning of a line.
    write(`\n${failed ? 'not ok' : 'ok'} ${++this.#points} - ${name}${isSkipped ? ' # SKIP' : ''}\n`);
    const [first] = result.failedExpectations ?? [];
    if (failed) write(details(first ?? { message: `The status is ${result.status}.` }));
  }
}

function isFailed({ status, failedExpectations = [] }: SpecResult): boolean {
  return status === 'failed' || failedExpectations.length > 0;
}

/** JSON is YAML. */
function details({ message = 'Failed.', stack, matcherName }: Expectation): string {
  const [, name, text = message] = matcherName ? [] : (THROWN.exec(message) ?? []);
  const [, actual, expected] = COMPARED.exec(message) ?? [];
  const isPlain = PLAIN.test(actual ?? '') && PLAIN.test(expected ?? '');
  const fields = Object.entries({
    name: name && JSON.stringify(name),
    message: JSON.stringify(text),
    operator: matcherName && JSON.stringify(matcherName),
    expected: isPlain ? expected : undefined,
    actual: isPlain ? actual : undefined,
    stack: stack && JSON.stringify(stack),
  }).filter(([, value]) => value !== undefined && value !== '');
  return `  ---\n${fields.map(([key, value]) => `  ${key}: ${value}\n`).join('')}  ...\n`;
}

// Jasmine before its version 4 loads reporters by `require`.
export { JasmineTap as default, JasmineTap as 'module.exports' };
