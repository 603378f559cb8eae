/** Shapes of secrets that are recognised without a label. */
export interface TokenShape {
  readonly name: string;
  /** Part of every such secret; texts without it are not searched. */
  readonly hint: string;
  /** Matches the secret only; `beginsToken` checks the text before it. */
  readonly pattern: RegExp;
  /** Matches that are not secrets. */
  readonly except?: (token: string) => boolean;
}

/** Tokens with a prefix that the issuing service documents, so that leaks can be found. */
export const TOKEN_SHAPES: readonly TokenShape[] = [
  // Models.
  shape('Anthropic', 'sk-ant-', /sk-ant-[A-Za-z0-9_-]{16,300}/g),
  shape('OpenRouter', 'sk-or-', /sk-or-(?:v\d-)?[A-Za-z0-9]{24,200}/g),
  shape('OpenAI project', 'sk-', /sk-(?:proj|svcacct|admin|service|None)-[A-Za-z0-9_-]{16,300}/g),
  shape('OpenAI and its likes', 'sk-', /sk-[A-Za-z0-9_-]{16,300}/g, isWords),
  shape('Groq', 'gsk_', /gsk_[A-Za-z0-9]{32,100}/g),
  shape('xAI', 'xai-', /xai-[A-Za-z0-9]{32,120}/g),
  shape('Perplexity', 'pplx-', /pplx-[A-Za-z0-9]{32,100}/g),
  shape('Replicate', 'r8_', /r8_[A-Za-z0-9]{32,60}/g),
  shape('Hugging Face', 'hf_', /hf_[A-Za-z0-9]{30,60}/g),
  // Code, packages, deployment.
  shape('GitHub', 'gh', /gh[pousr]_[A-Za-z0-9]{30,260}/g),
  shape('GitHub fine-grained', 'github_pat_', /github_pat_[A-Za-z0-9_]{30,260}/g),
  shape(
    'GitLab',
    'gl',
    /gl(?:pat|ptt|dt|rt|cbt|agent|ft|imt|soat|oas)-[A-Za-z0-9_=.-]{16,200}/g,
    isLowerCase,
  ),
  shape('Atlassian', 'AT', /AT(?:ATT|CTT|BB)3x[A-Za-z0-9_=-]{40,300}/g),
  shape('npm', 'npm_', /npm_[A-Za-z0-9]{30,60}/g),
  shape('PyPI', 'pypi-', /pypi-AgE[A-Za-z0-9_-]{40,300}/g),
  shape('RubyGems', 'rubygems_', /rubygems_[a-f0-9]{48}/g),
  shape('crates.io', 'cio', /cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/g, isWords),
  shape('Docker Hub', 'dckr_', /dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,80}/g),
  shape('Terraform Cloud', '.atlasv1.', /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}/g),
  shape('Pulumi', 'pul-', /pul-[a-f0-9]{40}/g),
  shape('Vault', 'hv', /hv[sbr]\.[A-Za-z0-9_-]{24,300}/g),
  shape('Doppler', 'dp.', /dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{40,80}/g),
  shape('Netlify', 'nfp_', /nfp_[A-Za-z0-9]{36,60}/g),
  shape('Render', 'rnd_', /rnd_[A-Za-z0-9]{28,60}/g),
  shape('Fly.io', 'fm', /fm\d[ar]?_[A-Za-z0-9+/=_-]{60,600}/g),
  shape('DigitalOcean', '_v1_', /do[opr]_v1_[a-f0-9]{64}/g),
  shape('Heroku', 'HRKU-', /HRKU-[A-Za-z0-9_-]{30,80}/g),
  // Clouds and databases.
  shape('AWS access key', 'A', /(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Z0-9])/g),
  shape('AWS access key with other digits', 'A', /(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g),
  shape('Amazon Bedrock', 'ABSK', /ABSK[A-Za-z0-9+/]{100,300}={0,2}/g),
  shape('Google API key', 'AIza', /AIza[A-Za-z0-9_-]{30,60}/g),
  shape('Google OAuth', 'ya29.', /ya29\.[A-Za-z0-9_-]{20,300}/g),
  shape('Google client secret', 'GOCSPX-', /GOCSPX-[A-Za-z0-9_-]{24,40}/g),
  shape('Google refresh token', '1//0', /1\/\/0[A-Za-z0-9_-]{36,160}/g),
  shape('Azure client secret', 'Q~', /[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}/g),
  shape('Databricks', 'dapi', /dapi[a-f0-9]{32}(?:-\d)?/g),
  shape('Supabase', 'sb', /(?:sbp_(?:v0_)?[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,80})/g),
  shape('PlanetScale', 'pscale_', /pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,80}/g),
  shape('Cloudflare origin', 'v1.0-', /v1\.0-[a-f0-9]{24}-[a-f0-9]{100,200}/g),
  shape('age', 'AGE-SECRET-KEY-1', /AGE-SECRET-KEY-1[A-Z0-9]{58}/g),
  // Payment, mail, messages, tools.
  shape('Stripe', 'k_', /[srp]k_(?:live|test|prod)_[A-Za-z0-9]{16,250}/g),
  shape('Stripe webhook', 'whsec_', /whsec_[A-Za-z0-9+/]{24,100}={0,2}/g),
  shape('Square', 'sq0', /sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,60}/g),
  shape('Shopify', 'shp', /shp(?:at|ca|pa|ss|tka)_[A-Fa-f0-9]{32}/g),
  shape('Twilio', 'SK', /SK[a-f0-9]{32}(?![A-Za-z0-9])/g),
  shape('SendGrid', 'SG.', /SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}/g),
  shape('Mailgun', 'key-', /key-[a-f0-9]{32}(?![A-Za-z0-9])/g),
  shape('Mailchimp', '-us', /[a-f0-9]{32}-us\d{1,2}(?!\d)/g),
  shape('Slack', 'x', /xox[abeprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,250}/g),
  shape('Slack app', 'xapp-', /xapp-\d-[A-Za-z0-9-]{20,250}/g),
  shape(
    'Slack webhook',
    'hooks.slack.com',
    /hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{20,120}/g,
  ),
  shape('Discord bot', '.', /[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}/g),
  shape('Discord webhook', '/api/webhooks/', /\/api\/webhooks\/\d{16,20}\/[A-Za-z0-9_-]{60,80}/g),
  shape('Telegram', ':AA', /\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])/g),
  shape('Linear', 'lin_', /lin_(?:api|oauth)_[A-Za-z0-9]{32,64}/g),
  shape('Notion', 't', /(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,60})(?![A-Za-z0-9])/g),
  shape('Grafana', 'gl', /gl(?:sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|c_[A-Za-z0-9+/]{32,400}={0,2})/g),
  shape('New Relic', 'NR', /NR(?:AK|AA|II|IQ|JS|SP)-[A-Za-z0-9]{19,40}/g),
  shape('Sentry', 'sntry', /sntry[su]_[A-Za-z0-9+/=_-]{40,400}/g),
  shape('Postman', 'PMAK-', /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/g),
  shape('Figma', 'fig', /fig[dour]_[A-Za-z0-9_-]{36,80}/g),
  shape('Airtable', 'pat', /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/g),
  shape(
    'JSON web token',
    'eyJ',
    /eyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,8000}(?:\.[A-Za-z0-9_-]{10,2000})?/g,
  ),
];

function shape(name: string, hint: string, pattern: RegExp, except?: TokenShape['except']): TokenShape {
  return { name, hint, pattern, except };
}

/** Placeholders of examples: `glpat-your-token-here`. */
function isLowerCase(token: string): boolean {
  return !/[A-Z\d]/.test(token);
}

/** Words with dashes, such as CSS classes: no digits, or a few at the end. */
function isWords(token: string): boolean {
  return !/\d[A-Za-z_-]*[A-Za-z]/.test(token) && !/\d{4}/.test(token);
}
