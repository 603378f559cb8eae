import type { FaultReason, FaultStatus } from '../fault.ts';

type TypeAndMessage = readonly [type: string, message: string];

const BY_STATUS: Readonly<Record<FaultStatus, TypeAndMessage>> = {
  400: ['invalid_request_error', 'messages: at least one message is required'],
  401: ['authentication_error', 'invalid x-api-key'],
  402: ['billing_error', 'Your account has a problem with billing. Please check your payment information.'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  404: ['not_found_error', 'model: no-such-model'],
  408: ['timeout_error', 'The request timed out.'],
  409: ['conflict_error', 'The resource was changed by another request.'],
  413: ['request_too_large', 'Request exceeds the maximum size'],
  422: ['invalid_request_error', 'The request could not be processed.'],
  429: ['rate_limit_error', 'This request would exceed the rate limit of your organization.'],
  500: ['api_error', 'Internal server error'],
  502: ['api_error', 'Bad gateway'],
  503: ['api_error', 'Service unavailable'],
  504: ['timeout_error', 'Request timed out while it was processed.'],
  529: ['overloaded_error', 'Overloaded'],
};

const BY_REASON: Readonly<Partial<Record<FaultReason, TypeAndMessage>>> = {
  quota: ['invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'],
  context: ['invalid_request_error', 'prompt is too long: 215000 tokens > 200000 maximum'],
  'no-tools': ['invalid_request_error', 'tools: this model does not support tool use'],
};

/** Body of an HTTP error, and of an error event. */
export function anthropicErrorBody(status: FaultStatus, reason?: FaultReason): object {
  const [type, message] = (reason && BY_REASON[reason]) ?? BY_STATUS[status];
  return { type: 'error', error: { type, message }, request_id: 'req_wire' };
}
