import { mapTexts } from '../text/map-texts.ts';
import { beginsToken } from './begins-token.ts';
import { findInCharacterDumps } from './character-dumps.ts';
import { findInHexDumps } from './hex-dumps.ts';
import { findLabelledValues, isSecretField } from './labelled-values.ts';
import { findPrivateKeys } from './private-keys.ts';
import {
  environmentKey,
  secretForms,
  type Environment,
  type SecretForm,
  type SecretForms,
} from './secret-values.ts';
import { findSpelledOut } from './spelled-out.ts';
import { mergeSpans, REDACTED, replaceSpans, type Span } from './spans.ts';
import { TOKEN_SHAPES } from './token-shapes.ts';

export { REDACTED };

/**
 * Replaces the secrets in a text: values of environment variables with a secret name, in every encoding; tokens of a
 * known shape; values next to a label such as `password`. The result is never longer, and redacting it again changes
 * nothing.
 */
export function redact(text: string, env: Environment = process.env): string {
  return replaceSpans(text, findSecrets(text, env));
}

/** Replaces only the values of secret environment variables, not what merely looks like a secret; for diffs. */
export function redactKnown(text: string, env: Environment = process.env): string {
  return replaceSpans(text, mergeSpans(findKnown(text, formsFor(env))));
}

/**
 * Redacts every string in a JSON value, and the whole value of a field with a secret name. Returns the same object if
 * nothing was redacted. Field names, and values that JSON cannot represent, stay.
 */
export function redactValue<T>(value: T, env: Environment = process.env): T {
  const forms = formsFor(env);
  return mapTexts(value, (text, field) => {
    const isWhole = isSecretField(field, text);
    return replaceSpans(text, isWhole ? [{ start: 0, end: text.length }] : findAll(text, forms));
  });
}

/** JSON of the value with its strings redacted; always valid JSON. */
export function redactedJson(value: unknown, env: Environment = process.env): string {
  return JSON.stringify(redactValue(value, env));
}

/** Secrets in a text, in order and without overlaps. */
export function findSecrets(text: string, env: Environment = process.env): Span[] {
  return findAll(text, formsFor(env));
}

/** True if an edit adds a redaction marker to a file, in place of a secret that its author was not shown. */
export function bringsMarker(before: string, after: string): boolean {
  return after.includes(REDACTED) && after.split(REDACTED).length > before.split(REDACTED).length;
}

function findAll(text: string, known: SecretForms): Span[] {
  if (text.length < 6) return [];
  const spans = [
    ...findKnown(text, known),
    ...findTokens(text),
    ...findLabelledValues(text),
    ...findPrivateKeys(text),
  ];
  return spans.length === 0 ? spans : mergeSpans(spans);
}

function findKnown(given: string, { forms, spellings, bytes }: SecretForms): Span[] {
  const text = inPlainWidth(given);
  return [
    ...findForms(text, forms),
    ...findSpelledOut(text, spellings),
    ...findInHexDumps(text, bytes),
    ...findInCharacterDumps(text, bytes),
  ];
}

const FULL_WIDTH = /[\uFF01-\uFF5E]/g;
const BEYOND_ASCII = 0xfee0;

/** Full-width letters as plain ones, at the same places: a search index makes plain letters of them. */
function inPlainWidth(text: string): string {
  return text.replace(FULL_WIDTH, (letter) => String.fromCharCode(letter.charCodeAt(0) - BEYOND_ASCII));
}

/** Every token matches this; most texts do not. */
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
    if (form.length >= SHORTEST_CUT) spans.push(...findCutShort(text, form));
  }
  return spans;
}

/** A secret of this length is recognised by its first or last characters, too: outputs are cut short. */
const SHORTEST_CUT = 16;
const RECOGNISED = 12;

/** Beginnings and ends of a secret in a text. */
function findCutShort(text: string, form: string): Span[] {
  const spans: Span[] = [];
  const head = form.slice(0, RECOGNISED);
  for (let start = text.indexOf(head); start !== -1; start = text.indexOf(head, start + 1)) {
    let length = RECOGNISED;
    while (length < form.length && text[start + length] === form[length]) length += 1;
    spans.push({ start, end: start + length });
  }
  const tail = form.slice(-RECOGNISED);
  for (let at = text.indexOf(tail); at !== -1; at = text.indexOf(tail, at + 1)) {
    let length = RECOGNISED;
    while (length < form.length && text[at + RECOGNISED - 1 - length] === form.at(-1 - length)) length += 1;
    spans.push({ start: at + RECOGNISED - length, end: at + RECOGNISED });
  }
  return spans;
}

let known: { readonly key: string; readonly found: SecretForms } = {
  key: '',
  found: { forms: [], spellings: [], bytes: [] },
};
let isFresh = false;

/** `process.env` is slow to read, so it is read at most once in a turn of the event loop. */
function formsFor(env: Environment): SecretForms {
  const isOwn = env === process.env;
  if (isOwn && isFresh) return known.found;
  const key = environmentKey(env);
  if (key !== known.key) known = { key, found: secretForms(env) };
  isFresh = isOwn;
  if (isOwn) setImmediate(() => void (isFresh = false)).unref();
  return known.found;
}
