import { spellingsOf } from './spelled-out.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const SECRET_NAME =
  /(?:^|_)(?:[A-Z0-9]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PHRASE|MNEMONIC|APIKEY)S?|KEYS?|PAT|PASS|PW|CREDENTIALS?|AUTH|AUTHORIZATION|COOKIE|BEARER|JWT)(?=$|_)/i;
const URL_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^\s:@/]*:([^\s@/]+)@/i;
const SHORTEST = 6;
/** Shorter values could be part of any word, so they are only redacted as a whole word. */
const SHORTEST_INSIDE = 8;
const LONGEST_WORD = 20;
const LONG_LINE = 20;

/** Values that are secret whatever their names are, such as those of a `.env` that an actor gets. */
const learned = new Set<string>();

/**
 * Adds the values of a `.env` file to the known secrets of this process. Single words, numbers, paths and addresses without
 * a password are not secrets, and of values without a secret name only those that look drawn at random are.
 */
export function learnSecrets(variables: Environment): void {
  for (const [name, value = ''] of Object.entries(variables)) {
    const isDrawn =
      /^\S{8,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value) && !value.includes('://');
    for (const secret of [...secretsIn(name, value), ...(isDrawn && isSecret(value) ? [value] : [])])
      learned.add(secret);
  }
}

/** One encoding of a secret. */
export interface SecretForm {
  readonly text: string;
  /** Redacted only if no letter or digit is next to it. */
  readonly whole: boolean;
}

/** How secrets are found in a text. */
export interface SecretForms {
  readonly forms: readonly SecretForm[];
  /** Of `findSpelledOut`. */
  readonly spellings: readonly string[];
  /** Of values of at least 8 characters, as dumps show them. */
  readonly bytes: readonly Buffer[];
}

/**
 * Values of variables with a secret name, passwords in URLs and learned secrets, in every encoding: plain, JSON, URL,
 * hexadecimal, and base64 at any offset in the encoded bytes. Longest first. Single words, numbers and paths are not secrets, whatever
 * the name of the variable. A value of at least 8 characters is found in other spellings, too.
 */
export function secretForms(env: Environment): SecretForms {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : secretsIn(name, value),
  );
  const forms = new Map<string, SecretForm>();
  const spellings = new Set<string>();
  const bytes: Buffer[] = [];
  for (const value of [...values, ...learned]) {
    const whole = value.length < SHORTEST_INSIDE;
    for (const text of whole ? [value] : formsOf(value)) forms.set(text, { text, whole });
    if (whole) continue;
    const encoded = Buffer.from(value);
    bytes.push(encoded);
    for (const text of spellingsOf(value, base64Of(encoded))) spellings.add(text);
  }
  return {
    forms: [...forms.values()].sort((a, b) => b.text.length - a.text.length),
    spellings: [...spellings],
    bytes,
  };
}

/** The part of the environment that determines `secretForms`, as a key for a cache. */
export function environmentKey(env: Environment): string {
  let key = learned.size === 0 ? '' : `${learned.size}\0`;
  for (const name in env) {
    const value: unknown = env[name];
    // A provider's package may have added a member to all objects.
    if (typeof value !== 'string') continue;
    if (SECRET_NAME.test(name) || value.includes('://')) key += `${name}=${value}\0`;
  }
  return key;
}

function secretsIn(name: string, value: string): string[] {
  const inUrl = URL_PASSWORD.exec(value)?.[1];
  const found = inUrl === undefined ? [] : [inUrl, tryDecode(inUrl)];
  if (SECRET_NAME.test(name) && !value.includes('://')) found.push(...linesOf(value));
  return found.filter(isSecret);
}

/** The lines of a value. Of several, only the long ones: first and last line of a key are the same in all keys. */
function linesOf(value: string): string[] {
  const lines = value.split(/\r?\n|\\n/).map((line) => line.trim());
  return lines.length === 1
    ? lines
    : lines.filter((line) => line.length >= LONG_LINE && !line.startsWith('-----'));
}

function isSecret(value: string): boolean {
  if (value.length < SHORTEST || /^(?:[~.]{0,2}\/|[A-Za-z]:\\)/.test(value)) return false;
  if (/^[\d.,:-]+$/.test(value)) return value.length >= 10;
  return value.length > LONGEST_WORD || !/^(?:[a-z]+|[A-Z]?[a-z]+|[A-Z]+)$/.test(value);
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const inJson = JSON.stringify(value).slice(1, -1);
  const forms = [
    value,
    inJson,
    JSON.stringify(inJson).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
  ];
  const base64 = base64Of(bytes);
  const base64Url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const hex = bytes.toString('hex');
  return [...forms, ...base64, ...base64Url, hex, hex.toUpperCase()].filter(
    (form) => form.length >= SHORTEST_INSIDE,
  );
}

/** Padded, without padding, and at any offset. */
function base64Of(bytes: Buffer): string[] {
  const alone = bytes.toString('base64');
  return [alone, alone.replaceAll('=', ''), ...[0, 1, 2].map((offset) => innerBase64(bytes, offset))];
}

/** The base64 characters that depend on these bytes only, if `offset` other bytes (0..2) precede them. */
function innerBase64(bytes: Buffer, offset: number): string {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
  const bits = whole.length * 8;
  return whole.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6));
}

function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
