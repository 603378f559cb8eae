import { redact, findSecrets } from './redact.ts';
import { SECRET_CONTEXT } from './labelled-values.ts';
import { hasOpenKey, LONGEST_KEY } from './private-keys.ts';
import { environmentKey, secretForms, type Environment } from './secret-values.ts';

/** A text that never comes to a place to cut it is given on from this length, in characters. */
const MOST_HELD = 65_536;
const KEPT_BACK = 8_192;
const WHITE = /\s/;
/** What is said after it may be a secret because of it; the dashes begin a private key. */
const CONTEXT = new RegExp(`${SECRET_CONTEXT.source}|-----`, 'i');

/**
 * Redacts a text that comes in pieces: what it gives, put together, is what `redact` makes of the whole. It holds
 * back the last word of what came, or the rest of a line in which something announces a secret, or a private key
 * until its end; 64 KiB at most.
 */
export class ChunkRedactor {
  readonly #env: Environment;
  readonly #cutsAtWords: boolean;
  #held = '';

  constructor(env: Environment = process.env) {
    this.#env = env;
    const forms = environmentKey(env) === '' ? [] : secretForms(env);
    this.#cutsAtWords = forms.every(({ text }) => !/\s/.test(text));
  }

  /** What can be shown of the text so far and was not given before; often empty. */
  push(text: string): string {
    this.#held += text;
    return this.#take(this.#cut());
  }

  /** The rest: nothing more will come. */
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
    if (held.length > MOST_HELD) return this.#forcedCut();
    if (hasOpenKey(held) && held.length - held.lastIndexOf('-----BEGIN ') < LONGEST_KEY)
      return held.lastIndexOf('\n', held.lastIndexOf('-----BEGIN ')) + 1;
    const lineStart = held.lastIndexOf('\n') + 1;
    if (!this.#cutsAtWords) return lineStart;
    const line = held.slice(lineStart);
    const context = CONTEXT.exec(line);
    return lineStart + wordStart(context === null ? line : line.slice(0, context.index));
  }

  /** Far from the end, and not within a secret. */
  #forcedCut(): number {
    const cut = this.#held.length - KEPT_BACK;
    const across = findSecrets(this.#held, this.#env).find(({ start, end }) => start < cut && end > cut);
    if (across === undefined) return cut;
    return across.start > 0 ? across.start : across.end;
  }
}

/** Where the last word of the text begins; its end where that is white space. */
function wordStart(text: string): number {
  let at = text.length;
  while (at > 0 && !WHITE.test(text[at - 1]!)) at--;
  return at;
}
