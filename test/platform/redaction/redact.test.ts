import { describe, expect, it } from 'vitest';
import { redact, REDACTED, redactedJson } from '../../../src/platform/redaction/redact.ts';

const SECRET = 'p"s/w+d=ümläut';

/** Joined here, so that scanners for leaked secrets do not report this file. */
const SHAPES: readonly (readonly [string, string])[] = [
  ['an OpenAI key', `sk-${'a1B2'.repeat(8)}`],
  ['an OpenAI project key', `sk-proj-${'a1B2'.repeat(8)}`],
  ['an Anthropic key', `sk-ant-api03-${'a1B2'.repeat(8)}`],
  ['an OpenRouter key', `sk-or-v1-${'0a1b'.repeat(8)}`],
  ['a Google key', `AIza${'Sy0_'.repeat(9)}`],
  ['a GitHub token', `ghp_${'a1B2'.repeat(9)}`],
  ['a fine-grained GitHub token', `github_pat_${'a1B2'.repeat(9)}`],
  ['a GitLab token', `glpat-${'a1B2'.repeat(5)}`],
  ['a GitLab token without a digit', `glpat-${'aXbY'.repeat(5)}`],
  ['an AWS key id', `AKIA${'Z9'.repeat(8)}`],
  ['a Slack token', `xoxb-${'12345-'.repeat(4)}a`],
  ['a Stripe key', `sk_live_${'a1B2'.repeat(6)}`],
  ['an npm token', `npm_${'a1B2'.repeat(9)}`],
  ['a Hugging Face token', `hf_${'a1B2'.repeat(9)}`],
  ['a JSON web token', `eyJ${'hbGci'.repeat(3)}.${'eyJzd'.repeat(3)}.${'SflKx'.repeat(3)}`],
  ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----'],
];

describe('redacting', () => {
  it.each(SHAPES)('replaces %s by its shape', (_name, secret) => {
    expect(redact(`before ${secret} after`, {})).toBe(`before ${REDACTED} after`);
  });

  it.each([')', ']', '}', '>'])('redacts a labelled value before %s', (end) => {
    expect(redact(`(password=hunter2hunter2${end}`, {})).toBe(`(password=${REDACTED}${end}`);
  });

  it('keeps the word before a bearer token', () => {
    expect(redact(`Authorization: Bearer ${'abc123'.repeat(4)}`, {})).toBe(
      `Authorization: Bearer ${REDACTED}`,
    );
  });

  it.each([
    ['as it is', SECRET],
    ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in a URL', encodeURIComponent(SECRET)],
    ['as base64', Buffer.from(SECRET).toString('base64')],
    ['as base64 without its end', Buffer.from(SECRET).toString('base64').replace(/=+$/, '')],
  ])('replaces the value of a secret variable %s', (_name, form) => {
    expect(redact(`<${form}>`, { MY_PASSWORD: SECRET })).toBe(`<${REDACTED}>`);
  });

  it('replaces the value in full-width letters, and no other text in them', () => {
    const wide = (text: string): string =>
      text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
    const env = { MY_PASSWORD: SECRET };
    expect(redact(`<${wide(SECRET)}>`, env)).toBe(`<${REDACTED}>`);
    expect(redact(wide('an ordinary text'), env)).toBe(wide('an ordinary text'));
  });

  it.each([
    'ACME_API_KEY',
    'acme_token',
    'CLIENT_SECRET',
    'PGPASSWORD',
    'AUTH',
    'AUTHORIZATION',
    'AWS_CREDENTIALS',
  ])('takes the value of %s for a secret', (name) => {
    expect(redact('it is tomato-soup.', { [name]: 'tomato-soup' })).toBe(`it is ${REDACTED}.`);
  });

  it.each(['HOME', 'EDITOR', 'GIT_AUTHOR_NAME', 'npm_config_init_author_name'])(
    'does not take the value of %s for one',
    (name) => {
      expect(redact('it is tomato-soup.', { [name]: 'tomato-soup' })).toBe('it is tomato-soup.');
    },
  );

  it('keeps values that are too short for secrets', () => {
    expect(redact('a true story', { USE_KEY: 'true', B_TOKEN: '', C_SECRET: undefined })).toBe(
      'a true story',
    );
  });

  it('replaces the longer of two values first', () => {
    const env = { A_KEY: 'tomato-soup', B_KEY: 'tomato-soup-with-rice' };
    expect(redact('tomato-soup-with-rice', env)).toBe(REDACTED);
  });

  it.each(['ask-me-anything-you-want-please', 'risk-averse', 'eyJ.a.b', 'Bearer of bad news', 'sk-short'])(
    'leaves "%s" as it is',
    (text) => {
      expect(redact(text, {})).toBe(text);
    },
  );
});

describe('redacting a value as JSON', () => {
  it('replaces secrets in nested strings', () => {
    const value = { list: [{ text: 'say tomato-soup' }], count: 3, none: null };
    const json = redactedJson(value, { A_KEY: 'tomato-soup' });
    expect(JSON.parse(json)).toEqual({ list: [{ text: `say ${REDACTED}` }], count: 3, none: null });
  });

  it('keeps field names and the text between two strings', () => {
    const value = {
      messages: ['-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'],
      finished: 12_345_678,
    };
    const env = { A_KEY: 'messages', B_KEY: '12345678', C_TOKEN: '"finished"' };
    expect(JSON.parse(redactedJson(value, env))).toEqual(value);
  });
});

it('is redacted although a module has added a member to all objects', () => {
  const all = Object.prototype as { added?: number };
  all.added = 1;
  const redacted = ((): string => {
    try {
      return redact(`a ${SECRET} b`, { MY_TOKEN: SECRET });
    } finally {
      delete all.added;
    }
  })();
  expect(redacted).toBe(`a ${REDACTED} b`);
});
