import { createRandom, randomText } from './random.ts';

/** A generated secret in a typical text. Secrets are generated, so that secret scanners do not report this file. */
export interface SecretSample {
  readonly name: string;
  readonly secret: string;
  readonly text: string;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const ALNUM = LOWER + UPPER + DIGITS;
const URL_SAFE = `${ALNUM}_-`;
const BASE64 = `${ALNUM}+/`;

type Make = (draw: (alphabet: string, length: number) => string) => string;

/** Secrets that are recognised by their format. */
const TOKENS: Readonly<Record<string, Make>> = {
  'Anthropic API key': (draw) => `sk-ant-api03-${draw(URL_SAFE, 93)}AA`,
  'Anthropic OAuth token': (draw) => `sk-ant-oat01-${draw(URL_SAFE, 86)}`,
  'OpenAI key, old': (draw) => `sk-${draw(ALNUM, 48)}`,
  'OpenAI project key': (draw) => `sk-proj-${draw(URL_SAFE, 120)}`,
  'OpenAI service account': (draw) => `sk-svcacct-${draw(URL_SAFE, 110)}`,
  'DeepSeek key': (draw) => `sk-${draw(HEX, 32)}`,
  'OpenRouter key': (draw) => `sk-or-v1-${draw(HEX, 64)}`,
  'Groq key': (draw) => `gsk_${draw(ALNUM, 52)}`,
  'xAI key': (draw) => `xai-${draw(ALNUM, 80)}`,
  'Perplexity key': (draw) => `pplx-${draw(ALNUM, 48)}`,
  'Replicate token': (draw) => `r8_${draw(ALNUM, 37)}`,
  'Hugging Face token': (draw) => `hf_${draw(ALNUM, 34)}`,
  'GitHub personal token': (draw) => `ghp_${draw(ALNUM, 36)}`,
  'GitHub server token': (draw) => `ghs_${draw(ALNUM, 36)}`,
  'GitHub refresh token': (draw) => `ghr_${draw(ALNUM, 76)}`,
  'GitHub fine-grained token': (draw) => `github_pat_${draw(ALNUM, 22)}_${draw(ALNUM, 59)}`,
  'GitLab token': (draw) => `glpat-${draw(ALNUM, 20)}`,
  'GitLab runner token': (draw) => `glrt-${draw(ALNUM, 20)}`,
  'Atlassian token': (draw) => `ATATT3xFfGF0${draw(URL_SAFE, 170)}`,
  'npm token': (draw) => `npm_${draw(ALNUM, 36)}`,
  'PyPI token': (draw) => `pypi-AgEIcHlwaS5vcmc${draw(URL_SAFE, 140)}`,
  'RubyGems key': (draw) => `rubygems_${draw(HEX, 48)}`,
  'crates.io token': (draw) => `cio${draw(ALNUM, 28)}1a2B`,
  'Docker Hub token': (draw) => `dckr_pat_${draw(URL_SAFE, 27)}`,
  'Terraform Cloud token': (draw) => `${draw(ALNUM, 14)}.atlasv1.${draw(ALNUM, 67)}`,
  'Pulumi token': (draw) => `pul-${draw(HEX, 40)}`,
  'Vault token': (draw) => `hvs.${draw(ALNUM, 90)}`,
  'Doppler token': (draw) => `dp.pt.${draw(ALNUM, 43)}`,
  'Netlify token': (draw) => `nfp_${draw(ALNUM, 36)}`,
  'Render key': (draw) => `rnd_${draw(ALNUM, 28)}`,
  'Fly.io token': (draw) => `fm2_${draw(BASE64, 120)}`,
  'DigitalOcean token': (draw) => `dop_v1_${draw(HEX, 64)}`,
  'Heroku key': (draw) => `HRKU-${draw(URL_SAFE, 36)}`,
  'AWS access key id': (draw) => `AKIA${draw(`${UPPER}234567`, 16)}`,
  'AWS temporary key id': (draw) => `ASIA${draw(`${UPPER}234567`, 16)}`,
  'Google API key': (draw) => `AIza${draw(URL_SAFE, 35)}`,
  'Google OAuth token': (draw) => `ya29.${draw(URL_SAFE, 120)}`,
  'Google client secret': (draw) => `GOCSPX-${draw(URL_SAFE, 28)}`,
  'Google refresh token': (draw) => `1//0${draw(URL_SAFE, 60)}`,
  'Azure client secret': (draw) => `${draw(ALNUM, 3)}8Q~${draw(ALNUM, 34)}`,
  'Databricks token': (draw) => `dapi${draw(HEX, 32)}`,
  'Supabase token': (draw) => `sbp_${draw(HEX, 40)}`,
  'PlanetScale token': (draw) => `pscale_tkn_${draw(ALNUM, 43)}`,
  'age key': (draw) => `AGE-SECRET-KEY-1${draw(UPPER, 58)}`,
  'Stripe live key': (draw) => `sk_live_${draw(ALNUM, 24)}`,
  'Stripe restricted key': (draw) => `rk_test_${draw(ALNUM, 99)}`,
  'Stripe webhook secret': (draw) => `whsec_${draw(ALNUM, 32)}`,
  'Square token': (draw) => `sq0atp-${draw(URL_SAFE, 22)}`,
  'Shopify token': (draw) => `shpat_${draw(HEX, 32)}`,
  'Twilio key': (draw) => `SK${draw(HEX, 32)}`,
  'SendGrid key': (draw) => `SG.${draw(URL_SAFE, 22)}.${draw(URL_SAFE, 43)}`,
  'Mailgun key': (draw) => `key-${draw(HEX, 32)}`,
  'Mailchimp key': (draw) => `${draw(HEX, 32)}-us12`,
  'Slack bot token': (draw) => `xoxb-${draw(DIGITS, 12)}-${draw(DIGITS, 12)}-${draw(ALNUM, 24)}`,
  'Slack app token': (draw) => `xapp-1-${draw(UPPER, 11)}-${draw(DIGITS, 13)}-${draw(HEX, 64)}`,
  'Slack webhook': (draw) =>
    `hooks.slack.com/services/T${draw(UPPER, 8)}/B${draw(UPPER, 8)}/${draw(ALNUM, 24)}`,
  'Discord bot token': (draw) => `M${draw(ALNUM, 23)}.${draw(ALNUM, 6)}.${draw(URL_SAFE, 27)}`,
  'Telegram bot token': (draw) => `${draw('123456789', 10)}:AA${draw(URL_SAFE, 33)}`,
  'Linear key': (draw) => `lin_api_${draw(ALNUM, 40)}`,
  'Notion token': (draw) => `ntn_${draw(ALNUM, 46)}`,
  'Grafana token': (draw) => `glsa_${draw(ALNUM, 32)}_${draw(HEX, 8)}`,
  'New Relic key': (draw) => `NRAK-${draw(UPPER + DIGITS, 27)}`,
  'Sentry token': (draw) => `sntrys_${draw(ALNUM, 80)}`,
  'Postman key': (draw) => `PMAK-${draw(HEX, 24)}-${draw(HEX, 34)}`,
  'Figma token': (draw) => `figd_${draw(URL_SAFE, 40)}`,
  'Airtable token': (draw) => `pat${draw(ALNUM, 14)}.${draw(HEX, 64)}`,
  'JSON web token': (draw) => `eyJ${draw(URL_SAFE, 33)}.eyJ${draw(URL_SAFE, 70)}.${draw(URL_SAFE, 43)}`,
};

/** Secrets that are recognised by their context; `§` stands for the secret. */
const LABELLED: Readonly<Record<string, readonly [text: string, make: Make]>> = {
  'bearer header': ['curl -H "Authorization: Bearer §" https://api.test', (draw) => draw(ALNUM, 32)],
  'basic header': ['authorization: Basic §', (draw) => `${draw(ALNUM, 30)}1=`],
  'API key header': ['x-api-key: §', (draw) => `${draw(ALNUM, 22)}7a`],
  'AWS secret key': ['aws_secret_access_key = §', (draw) => draw(BASE64, 40)],
  'Azure account key': [
    'DefaultEndpointsProtocol=https;AccountKey=§;EndpointSuffix=x',
    (draw) => `${draw(BASE64, 86)}==`,
  ],
  'connection string': ['Server=db;User Id=sa;Password=§;Encrypt=true', (draw) => `${draw(ALNUM, 9)}!7b`],
  'URL password': ['postgres://app:§@db.test:5432/app', (draw) => draw(ALNUM, 12)],
  'Redis URL without a user': ['redis://:§@cache.test:6379', (draw) => draw(ALNUM, 12)],
  'environment line': ['export SERVICE_TOKEN=§', (draw) => `${draw(LOWER, 6)}${draw(DIGITS, 4)}`],
  'JSON field': ['{"user":"a","password":"§"}', (draw) => `${draw(LOWER, 8)}42`],
  'YAML field': ['  client_secret: "§"', (draw) => `${draw(ALNUM, 20)}3b`],
  'code literal': ["const apiKey = '§';", (draw) => `${draw(ALNUM, 20)}4x`],
  'option of a command': ['deploy --token §', (draw) => `${draw(ALNUM, 18)}5c`],
  'curl user': ['curl -u admin:§ https://x.test', (draw) => draw(ALNUM, 10)],
  netrc: ['machine x.test login bob password §', (draw) => draw(ALNUM, 10)],
  npmrc: ['//registry.test/:_authToken=§', (draw) => `${draw(HEX, 8)}-1a2b-4c3d-9e8f-${draw(HEX, 12)}`],
  cookie: ['Set-Cookie: sid=§; HttpOnly', (draw) => `${draw(ALNUM, 30)}6d`],
  'signed URL': ['https://x.blob.test/a?sv=1&sig=§', (draw) => `${draw(ALNUM, 43)}%3D`],
  'RSA private key': ['§', (draw) => pem('RSA PRIVATE KEY', draw)],
  'OpenSSH private key': ['§', (draw) => pem('OPENSSH PRIVATE KEY', draw)],
  'PGP private key': ['§', (draw) => pem('PGP PRIVATE KEY BLOCK', draw)],
  'private key in JSON': ['{"private_key":"§"}', (draw) => pem('PRIVATE KEY', draw).replaceAll('\n', '\\n')],
};

function pem(label: string, draw: (alphabet: string, length: number) => string): string {
  const lines = Array.from({ length: 12 }, () => draw(BASE64, 64));
  return [`-----BEGIN ${label}-----`, ...lines, `${draw(BASE64, 30)}==`, `-----END ${label}-----`].join('\n');
}

/** One sample of each format, reproducible by the seed. */
export function secretSamples(seed: number): SecretSample[] {
  const random = createRandom(seed);
  const draw = (alphabet: string, length: number): string => randomText(random, alphabet, length);
  const tokens = Object.entries(TOKENS).map(([name, make]) => {
    const secret = make(draw);
    return { name, secret, text: `connect with ${secret} now` };
  });
  const labelled = Object.entries(LABELLED).map(([name, [text, make]]) => {
    const secret = make(draw);
    return { name, secret, text: text.replace('§', () => secret) };
  });
  return [...tokens, ...labelled];
}

/** Texts that resemble secrets but must not be redacted. */
export function harmlessTexts(seed: number): string[] {
  const random = createRandom(seed);
  const draw = (alphabet: string, length: number): string => randomText(random, alphabet, length);
  const uuid = [8, 4, 4, 4, 12].map((length) => draw(HEX, length)).join('-');
  return [
    `commit ${draw(HEX, 40)}`,
    `Merge ${draw(HEX, 7)} into ${draw(HEX, 12)}`,
    `index ${draw(HEX, 7)}..${draw(HEX, 7)} 100644`,
    `id: ${uuid}`,
    `sha256:${draw(HEX, 64)}`,
    `"integrity": "sha512-${draw(BASE64, 86)}=="`,
    `data:image/png;base64,${draw(BASE64, 400)}`,
    `//# sourceMappingURL=data:application/json;base64,${draw(BASE64, 600)}`,
    `etag: W/"${draw(HEX, 32)}"`,
    `test/${draw(LOWER, 8)}.test.ts:12:34`,
    'const token = tokens[index1];',
    'token: Uint8Array',
    'password: string;',
    'const secret = process.env.CLIENT_SECRET_2;',
    'if (token.type === SyntaxKind2.OpenBrace) next(token);',
    'expected password to have at least 12 characters',
    'class="sk-fading-circle sk-circle-dot-2"',
    'http://localhost:5173/@fs/src/index.ts',
    'max_tokens=16384 input_tokens: 12000',
    'ask-me-anything task-list-component disk-usage-report',
    'npm_config_user_agent npm_lifecycle_event',
    'at Object.<anonymous> (/app/node_modules/x/index.js:10:5)',
  ];
}
