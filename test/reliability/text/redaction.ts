import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ChunkRedactor } from '../../../src/platform/redaction/chunk-redactor.ts';
import {
  findSecrets,
  redact,
  REDACTED,
  redactedJson,
  redactValue,
} from '../../../src/platform/redaction/redact.ts';
import type { Row } from '../suite.ts';
import { createRandom } from './random.ts';
import { rowOf, type Trial } from './row.ts';
import { harmlessTexts, secretSamples, type SecretSample } from './secret-samples.ts';

type Redact = (text: string) => string;

const ROOT = join(import.meta.dirname, '../../..');
const PRODUCT: Redact = (text) => redact(text, {});

/** Redacts every format in text, nested JSON, coloured text and a diff. Tests replace `using` by a function without effect. */
export function tryFormats(seeds: readonly number[], using: Redact = PRODUCT): Row {
  const trials = seeds.flatMap(secretSamples).flatMap((sample): Trial[] =>
    Object.entries(placesOf(sample)).map(([place, text]) => ({
      name: `${sample.name}, ${place}`,
      held: isGone(using(text), sample.secret),
    })),
  );
  return rowOf(`${secretSamples(1).length} formats of secrets, in 4 contexts each: redacted`, trials);
}

/** Redacts text in random pieces; the result must equal that of the whole text. */
export function tryChunks(
  splits: number,
  using: () => Pick<ChunkRedactor, 'push' | 'flush'> = () => new ChunkRedactor({}),
): Row {
  const random = createRandom(7);
  const samples = secretSamples(3);
  const trials = samples.flatMap((sample) =>
    Array.from({ length: splits }, (): Trial => {
      const text = `First some words.\n${sample.text}\nand\tmore words: ${sample.text} then the end.`;
      const pieces = randomPieces(text, random);
      const redactor = using();
      const shown = pieces.map((piece) => redactor.push(piece)).join('') + redactor.flush();
      const same = shown === PRODUCT(text) && isGone(shown, sample.secret);
      return { name: `${sample.name} in ${pieces.length} pieces`, held: same };
    }),
  );
  return rowOf('secrets split across chunks: redacted as in the whole text', trials);
}

/** Redacts the values of secret variables in all encodings. */
export function tryValues(): Row {
  const values = [
    'tr0ub4dor&3',
    'p"s/w+d=ümläut',
    'Zm9v/YmFy+MTIz==',
    'two words 42',
    'x'.repeat(40) + '9',
    'käse-\\-"quote',
  ];
  const trials = values.flatMap((value) => {
    const env = { MY_SECRET: value };
    return Object.entries(formsOf(value)).map(([form, text]): Trial => {
      const clean = redact(`before ${text} after`, env);
      return {
        name: `${JSON.stringify(value)} ${form}`,
        held: clean.includes(REDACTED) && !clean.includes(text),
      };
    });
  });
  return rowOf('values of secret variables, in every encoding: redacted', trials);
}

/** Redacted JSON must be valid JSON of the same shape, and not longer. */
export function tryJson(): Row {
  const trials = secretSamples(5).map(({ name, secret, text }): Trial => {
    const value = { list: [text, { deep: [text, 1, null, true] }], count: 12_345_678, quoted: `"${text}"\n` };
    const read = JSON.parse(redactedJson(value, {})) as typeof value;
    const json = JSON.stringify(read);
    const sound =
      read.list.length === 2 && read.count === value.count && json.length <= JSON.stringify(value).length;
    return { name, held: sound && isGone(json, secret) && redactValue(read, {}) === read };
  });
  return rowOf('redacted JSON: valid, not longer, and unchanged when redacted again', trials);
}

/** Hashes, ids, code and the files of packages must not change. */
export function tryHarmless(seeds: readonly number[], folders: readonly string[]): Row {
  const texts = seeds
    .flatMap(harmlessTexts)
    .map((text): Trial => ({ name: text.slice(0, 60), held: PRODUCT(text) === text }));
  const files = folders.flatMap(textFiles);
  const bytes = files.reduce((sum, { text }) => sum + text.length, 0);
  const inFiles = files.map(({ path, text }): Trial => ({
    name: path,
    held: findSecrets(text, {}).length === 0,
  }));
  const wrong = inFiles.filter(({ held }) => !held).length;
  const rate = `${wrong} of ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB`;
  return rowOf(`ordinary text: unchanged (wrongly redacted: ${rate})`, [...texts, ...inFiles]);
}

function placesOf({ text }: SecretSample): Record<string, string> {
  return {
    'in a text': text,
    'in JSON in JSON': JSON.stringify(JSON.stringify({ out: `line\n${text}\n` })),
    coloured: `\u001B[31m${text.replace(/(?<=connect with )/, '\u001B[1m')}\u001B[39m`,
    'in a diff': `@@ -1,2 +1,2 @@\n${text.replace(/^/gm, '+')}\n`,
  };
}

/** True if the text contains no 12 consecutive characters of the secret, or of its parts if they are shorter. */
function isGone(clean: string, secret: string): boolean {
  const body = secret.replace(/-----[A-Z ]+-----/g, '').replace(/\\n|[\n+]/g, ' ');
  const parts = body.split(/\s+/).filter((part) => part.length >= 8);
  return parts.every((part) =>
    windows(part, Math.min(12, part.length)).every((piece) => !clean.includes(piece)),
  );
}

function windows(text: string, size: number): string[] {
  return Array.from({ length: text.length - size + 1 }, (_, at) => text.slice(at, at + size));
}

function randomPieces(text: string, random: () => number): string[] {
  const pieces: string[] = [];
  const most = 1 + Math.floor(random() * 40);
  for (let at = 0; at < text.length;) {
    const size = 1 + Math.floor(random() * most);
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

function formsOf(value: string): Record<string, string> {
  const base64 = Buffer.from(value).toString('base64');
  return {
    plain: value,
    'in JSON': JSON.stringify(value).slice(1, -1),
    'in JSON in JSON': JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1),
    'in a URL': encodeURIComponent(value),
    'as base64': base64,
    'as base64url': Buffer.from(value).toString('base64url'),
    'as hex': Buffer.from(value).toString('hex'),
    'as upper-case hex': Buffer.from(value).toString('hex').toUpperCase(),
    'with a user name, as base64': Buffer.from(`user:${value}`).toString('base64'),
    'with a longer user name, as base64': Buffer.from(`user-1:${value}`).toString('base64'),
    'in JSON, as base64': Buffer.from(`{"a":1,"k":"${value}"}`).toString('base64'),
  };
}

const TEXT = /\.(?:ts|js|mjs|cjs|json|md|hbs|css|yml)$/;

function textFiles(folder: string): { path: string; text: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => TEXT.test(file))
    .map((file) => join(ROOT, folder, file))
    .filter((path) => statSync(path).isFile())
    .map((path) => ({ path: path.slice(ROOT.length + 1), text: readFileSync(path, 'utf8') }));
}
