import type { FaultReason, FaultStatus } from '../fault.ts';

interface OpenAiError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

const SERVER_ERROR = 'The server had an error while processing your request. Sorry about that!';

const BY_STATUS: Readonly<Record<FaultStatus, OpenAiError>> = {
  400: error("Unknown parameter: 'reasoning'.", 'invalid_request_error', 'unknown_parameter', 'reasoning'),
  401: error('Incorrect API key provided: sk-wrong.', 'invalid_request_error', 'invalid_api_key'),
  402: error('Insufficient Balance', 'unknown_error', 'invalid_request_error'),
  403: error(
    'Country, region, or territory not supported',
    'request_forbidden',
    'unsupported_country_region_territory',
  ),
  404: error(
    'The model `no-such-model` does not exist or you do not have access to it.',
    'invalid_request_error',
    'model_not_found',
  ),
  408: error('Request timed out.', 'invalid_request_error', 'request_timeout'),
  409: error('The resource was updated by another request.', 'invalid_request_error', 'conflict'),
  413: error('Maximum content size limit exceeded.', 'invalid_request_error', 'content_too_large'),
  422: error("We couldn't process the request.", 'invalid_request_error', 'unprocessable_entity'),
  429: error('Rate limit reached for requests. Please try again in 20ms.', 'requests', 'rate_limit_exceeded'),
  500: error(SERVER_ERROR, 'server_error'),
  502: error('Bad gateway.', 'server_error', 'bad_gateway'),
  503: error(
    'That model is currently overloaded with other requests.',
    'server_error',
    'service_unavailable',
  ),
  504: error('The upstream server took too long to answer.', 'server_error', 'gateway_timeout'),
  529: error('The engine is currently overloaded, please try again later.', 'server_error', 'overloaded'),
};

const BY_REASON: Readonly<Partial<Record<FaultReason, OpenAiError>>> = {
  quota: error(
    'You exceeded your current quota, please check your plan and billing details.',
    'insufficient_quota',
    'insufficient_quota',
  ),
  context: error(
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 200000 tokens.",
    'invalid_request_error',
    'context_length_exceeded',
    'messages',
  ),
  'no-tools': error(
    'This model does not support tools.',
    'invalid_request_error',
    'unsupported_parameter',
    'tools',
  ),
};

/** Body of an HTTP error, the same in both formats. */
export function openAiErrorBody(status: FaultStatus, reason?: FaultReason): { readonly error: OpenAiError } {
  return { error: (reason && BY_REASON[reason]) ?? BY_STATUS[status] };
}

function error(
  message: string,
  type: string,
  code: string | null = null,
  param: string | null = null,
): OpenAiError {
  return { message, type, param, code };
}
