import { mapTexts } from '../text/map-texts.ts';
import { beginsToken } from './begins-token.ts';
import { findLabelledValues, isSecretField } from './labelled-values.ts';
import { findPrivateKeys } from './private-keys.ts';
import { environmentKey, secretForms, type Environment, type SecretForm } from './secret-values.ts';
import { mergeSpans, REDACTED, replaceSpans, type Span } from './spans.ts';
import { TOKEN_SHAPES } from './token-shapes.ts';

export { REDACTED };

/**
 * The text without secrets: the values of variables whose names say secret, in every form they travel in, whatever
 * has the shape of a well-known key, and what stands beside a word such as password. Never longer than it was;
 * redacted text stays as it is.
 */
export function redact(text: string, env: Environment = process.env): string {
  return replaceSpans(text, findSecrets(text, env));
}

/** The text without the values of secret variables; what merely looks like a secret stays, as in a diff. */
export function redactKnown(text: string, env: Environment = process.env): string {
  return replaceSpans(text, mergeSpans(findForms(text, formsFor(env))));
}

/**
 * A JSON value with all of its texts redacted, fields named like a secret included; the very same object where there
 * was nothing to redact. Names of fields stay, and so does what JSON has no word for.
 */
export function redactValue<T>(value: T, env: Environment = process.env): T {
  const forms = formsFor(env);
  return mapTexts(value, (text, field) => {
    const isWhole = isSecretField(field, text);
    return replaceSpans(text, isWhole ? [{ start: 0, end: text.length }] : findAll(text, forms));
  });
}

/** The value as JSON, its texts redacted; always valid, since nothing between two texts is touched. */
export function redactedJson(value: unknown, env: Environment = process.env): string {
  return JSON.stringify(redactValue(value, env));
}

/** Where secrets stand in a text, in order, none within another. */
export function findSecrets(text: string, env: Environment = process.env): Span[] {
  return findAll(text, formsFor(env));
}

/** True where an edit would put a marker into a file that stands for what the editor was not shown. */
export function bringsMarker(before: string, after: string): boolean {
  return after.includes(REDACTED) && after.split(REDACTED).length > before.split(REDACTED).length;
}

function findAll(text: string, forms: readonly SecretForm[]): Span[] {
  if (text.length < 6) return [];
  const spans = [
    ...findForms(text, forms),
    ...findTokens(text),
    ...findLabelledValues(text),
    ...findPrivateKeys(text),
  ];
  return spans.length === 0 ? spans : mergeSpans(spans);
}

/** Every token has a run like this; most texts have none. */
const LONG_RUN = /[A-Za-z0-9_-]{13}/;

function findTokens(text: string): Span[] {
  if (!LONG_RUN.test(text)) return [];
  return TOKEN_SHAPES.filter(({ hint }) => text.includes(hint)).flatMap(({ pattern, except }) =>
    [...text.matchAll(pattern)]
      .filter(({ index, 0: token }) => beginsToken(text, index) && !except?.(token))
      .map(({ index, 0: token }) => ({ start: index, end: index + token.length })),
  );
}

function findForms(text: string, forms: readonly SecretForm[]): Span[] {
  const spans: Span[] = [];
  for (const { text: form, whole } of forms) {
    for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + 1)) {
      const end = start + form.length;
      if (!whole || (beginsToken(text, start) && !/[A-Za-z0-9]/.test(text[end] ?? '')))
        spans.push({ start, end });
    }
  }
  return spans;
}

let known: { readonly key: string; readonly forms: readonly SecretForm[] } = { key: '', forms: [] };
let isFresh = false;

/** The environment of the process is looked at once in each turn of the event loop: reading it is slow. */
function formsFor(env: Environment): readonly SecretForm[] {
  const isOwn = env === process.env;
  if (isOwn && isFresh) return known.forms;
  const key = environmentKey(env);
  if (key !== known.key) known = { key, forms: secretForms(env) };
  isFresh = isOwn;
  if (isOwn) setImmediate(() => void (isFresh = false)).unref();
  return known.forms;
}
