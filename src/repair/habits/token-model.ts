import { CountTable } from './count-table.ts';

/** Tokens of an n-gram: the last one and those that it depends on. */
export const ORDER = 4;
/** A smaller vocabulary would make an unknown token of a small repository likely. */
const LEAST_VOCABULARY = 1000;
/** The probability of a single token counts as no smaller than this, as its logarithm: one surprise does not decide alone. */
const LEAST_LOG = -14;

/**
 * How usual a token is after the three before it, in the code that was added: an interpolated n-gram model with the weights
 * of Witten and Bell ("The zero-frequency problem", 1991). Code repeats itself more than prose does, and wrong code looks
 * less usual than its repair (Ray et al., "On the naturalness of buggy code", 2016).
 */
export class TokenModel {
  private readonly table = new CountTable();
  private readonly ids = new Map<string, number>();

  /** Number of tokens that were added. */
  size = 0;

  /** Adds a text's tokens; with a sign of -1 takes them out again. */
  add(tokens: readonly string[], sign: 1 | -1 = 1): void {
    this.addRange(tokens, { from: 0, to: tokens.length, sign });
  }

  /** As `add`, but only for the tokens of a range; those before it are what they depend on. */
  addRange(
    tokens: readonly string[],
    { from, to, sign }: { readonly from: number; readonly to: number; readonly sign: 1 | -1 },
  ): void {
    const { table } = this;
    for (let index = from; index < to; index++) {
      this.size += sign;
      const last = this.idOf(tokens[index]!);
      let [slot, check] = [1, 1];
      for (let length = 0; length < ORDER && length <= index; length++) {
        if (length > 0) {
          const id = this.idOf(tokens[index - length]!);
          [slot, check] = [mixed(slot, id, 0x85ebca6b), mixed(check, id, 0xc2b2ae35)];
        }
        const [ownSlot, ownCheck] = [mixed(slot, last, 0x9e3779b1), mixed(check, last, 0x27d4eb2f)];
        const known = table.countOf(ownSlot, ownCheck);
        const isOtherKind = sign === 1 ? known === 0 : known === 1;
        table.add(ownSlot, ownCheck, sign, 0);
        table.add(slot, check, sign, isOtherKind ? sign : 0);
      }
    }
  }

  /** The sum of the logarithms of the probabilities of the tokens in a range. */
  logOf(tokens: readonly string[], from: number, to: number): number {
    let sum = 0;
    for (let index = from; index < to; index++) sum += Math.max(LEAST_LOG, this.logAt(tokens, index));
    return sum;
  }

  private logAt(tokens: readonly string[], index: number): number {
    const { table } = this;
    const last = this.idOf(tokens[index]!);
    let [slot, check] = [1, 1];
    let probability = 1 / Math.max(LEAST_VOCABULARY, table.kindsOf(slot, check));
    for (let length = 0; length < ORDER && length <= index; length++) {
      if (length > 0) {
        const id = this.idOf(tokens[index - length]!);
        [slot, check] = [mixed(slot, id, 0x85ebca6b), mixed(check, id, 0xc2b2ae35)];
      }
      const total = table.countOf(slot, check);
      if (total <= 0) break;
      const kinds = table.kindsOf(slot, check);
      const count = table.countOf(mixed(slot, last, 0x9e3779b1), mixed(check, last, 0x27d4eb2f));
      probability = (count + kinds * probability) / (total + kinds);
    }
    return Math.log(probability);
  }

  private idOf(token: string): number {
    const known = this.ids.get(token);
    if (known !== undefined) return known;
    const id = this.ids.size + 1;
    this.ids.set(token, id);
    return id;
  }
}

/** A hash of 32 bits, from the hash so far and the next number. */
function mixed(hash: number, next: number, factor: number): number {
  let value = Math.imul(hash ^ (next + 0x165667b1), factor);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}
