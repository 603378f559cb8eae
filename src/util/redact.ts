const SECRET_VARIABLE = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH)/i;
const SHORTEST = 8;

/** Shapes of well-known secrets; each matches the secret alone. */
const SHAPES: readonly RegExp[] = [
  /\bsk-(?:ant-|proj-|or-v1-|svcacct-)?[A-Za-z0-9_-]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{30,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bhf_[A-Za-z0-9]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  /(?<=\bBearer )[A-Za-z0-9._~+/=-]{16,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
];

export const REDACTED = '[redacted]';

/**
 * The text without secrets: the exact values of variables whose names say secret, as they are and as base64, in
 * a URL or in JSON, and whatever has the shape of a well-known key.
 */
export function redact(
  text: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  let clean = text;
  for (const value of secretValues(env)) clean = clean.replaceAll(value, REDACTED);
  for (const shape of SHAPES) clean = clean.replace(shape, REDACTED);
  return clean;
}

function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= SHORTEST && SECRET_VARIABLE.test(name) ? formsOf(value) : [],
  );
  return [...new Set(values)].sort((a, b) => b.length - a.length);
}

function formsOf(value: string): string[] {
  const base64 = Buffer.from(value).toString('base64');
  return [
    value,
    base64,
    base64.replace(/=+$/, ''),
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
  ];
}
