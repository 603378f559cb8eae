import { redact, findSecrets } from './redact.ts';
import { SECRET_CONTEXT } from './labelled-values.ts';
import { hasOpenKey, LONGEST_KEY } from './private-keys.ts';
import { environmentKey, secretForms, type Environment } from './secret-values.ts';

/** Longest text that is held back while it has no safe place to cut, in characters. */
const MAX_HELD = 65_536;
const KEPT_BACK = 8_192;
const WHITE = /\s/;
/** Text after a match may be a secret because of it; five dashes begin a private key. */
const CONTEXT = new RegExp(`${SECRET_CONTEXT.source}|-----`, 'i');

/**
 * Redacts a text that arrives in pieces: the results, joined, equal `redact` of the whole text, but for secrets that are spelled
 * out over several lines. It holds back the last
 * word, or the rest of a line after a word such as `password`, or a private key until its end; 64 Ki characters at
 * most.
 */
export class ChunkRedactor {
  readonly #env: Environment;
  readonly #cutsAtWords: boolean;
  #held = '';

  constructor(env: Environment = process.env) {
    this.#env = env;
    const forms = environmentKey(env) === '' ? [] : secretForms(env).forms;
    this.#cutsAtWords = forms.every(({ text }) => !/\s/.test(text));
  }

  /** The next part of the redacted text; often empty. */
  push(text: string): string {
    this.#held += text;
    return this.#take(this.#cut());
  }

  /** The rest of the redacted text, after the last `push`. */
  flush(): string {
    return this.#take(this.#held.length);
  }

  #take(end: number): string {
    const ready = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    return redact(ready, this.#env);
  }

  #cut(): number {
    const held = this.#held;
    if (held.length > MAX_HELD) return this.#forcedCut();
    if (hasOpenKey(held) && held.length - held.lastIndexOf('-----BEGIN ') < LONGEST_KEY)
      return held.lastIndexOf('\n', held.lastIndexOf('-----BEGIN ')) + 1;
    const lineStart = held.lastIndexOf('\n') + 1;
    if (!this.#cutsAtWords) return lineStart;
    const line = held.slice(lineStart);
    const context = CONTEXT.exec(line);
    return lineStart + wordStart(context === null ? line : line.slice(0, context.index));
  }

  /** A place 8 Ki characters before the end that is not inside a secret. */
  #forcedCut(): number {
    const cut = this.#held.length - KEPT_BACK;
    const across = findSecrets(this.#held, this.#env).find(({ start, end }) => start < cut && end > cut);
    if (across === undefined) return cut;
    return across.start > 0 ? across.start : across.end;
  }
}

/** Index of the last word of the text; the length of the text if it ends in white space. */
function wordStart(text: string): number {
  let at = text.length;
  while (at > 0 && !WHITE.test(text[at - 1]!)) at--;
  return at;
}
