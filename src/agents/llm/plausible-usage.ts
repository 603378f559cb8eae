import { MOST_TOKENS } from '../../schema/usage.ts';

type Rewriter = NonNullable<ConstructorParameters<typeof TransformStream<string, string>>[0]>;

const USAGE_KEY = /"usage(?:Metadata)?"\s*:\s*\{/;

/**
 * The response with each implausible token count in its usage replaced by 0, which counts as missing: a text, a negative number,
 * or more than any call can take. The provider packages would refuse a good reply because of a text, or count the number.
 */
export function withPlausibleUsage(response: Response): Response {
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || response.body === null || !/json|event-stream/i.test(type)) return response;
  const lines = /event-stream/i.test(type) ? byLine() : byWhole();
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new TransformStream(lines))
    .pipeThrough(new TextEncoderStream());
  return new Response(body, response);
}

function byLine(): Rewriter {
  let rest = '';
  return {
    transform(text, controller) {
      const end = text.lastIndexOf('\n');
      if (end === -1) return void (rest += text);
      const complete = (rest + text.slice(0, end)).split('\n');
      rest = text.slice(end + 1);
      controller.enqueue(complete.map((line) => `${plausible(line)}\n`).join(''));
    },
    flush: (controller) => controller.enqueue(plausible(rest)),
  };
}

function byWhole(): Rewriter {
  const parts: string[] = [];
  return {
    transform: (text) => void parts.push(text),
    flush(controller) {
      const text = parts.join('');
      // A stream may be labelled as JSON.
      const isOne = /^\s*[[{]/.test(text);
      controller.enqueue(isOne ? plausible(text) : text.split('\n').map(plausible).join('\n'));
    },
  };
}

/** A JSON object, or a line of an event stream that holds one; unchanged unless a count in it is implausible. */
function plausible(text: string): string {
  if (!USAGE_KEY.test(text)) return text;
  const start = text.indexOf('{');
  try {
    const value: unknown = JSON.parse(text.slice(start));
    return correct(value, false) ? text.slice(0, start) + JSON.stringify(value) : text;
  } catch {
    return text;
  }
}

/** Corrects the counts below the keys `usage` and `usageMetadata` in place. Returns whether there was one to correct. */
function correct(value: unknown, isUsage: boolean, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > 6) return false;
  let corrected = false;
  for (const [key, inner] of Object.entries(value)) {
    const isCount = isUsage && /token/i.test(key) && typeof inner !== 'object';
    if (isCount && !isPlausible(inner)) {
      (value as Record<string, unknown>)[key] = 0;
      corrected = true;
    } else if (correct(inner, isUsage || /^usage(Metadata)?$/.test(key), depth + 1)) corrected = true;
  }
  return corrected;
}

function isPlausible(count: unknown): boolean {
  return typeof count === 'number' && count >= 0 && count <= MOST_TOKENS;
}
