import type { FaultReason, FaultStatus } from '../fault.ts';

type StatusAndMessage = readonly [status: string, message: string];

const BY_STATUS: Readonly<Record<FaultStatus, StatusAndMessage>> = {
  400: ['INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  401: ['UNAUTHENTICATED', 'Request had invalid authentication credentials.'],
  402: ['FAILED_PRECONDITION', 'Billing is not enabled for this project.'],
  403: ['PERMISSION_DENIED', "Method doesn't allow unregistered callers."],
  404: ['NOT_FOUND', 'models/no-such-model is not found for API version v1beta.'],
  408: ['DEADLINE_EXCEEDED', 'The request timed out.'],
  409: ['ABORTED', 'The operation was aborted.'],
  413: ['INVALID_ARGUMENT', 'Request payload size exceeds the limit: 20971520 bytes.'],
  422: ['INVALID_ARGUMENT', 'The request could not be processed.'],
  429: ['RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'],
  500: ['INTERNAL', 'An internal error has occurred. Please retry.'],
  502: ['UNAVAILABLE', 'Bad gateway.'],
  503: ['UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  504: ['DEADLINE_EXCEEDED', 'The request timed out. Please try again.'],
  529: ['UNAVAILABLE', 'The model is overloaded. Please try again later.'],
};

const BY_REASON: Readonly<Record<FaultReason, StatusAndMessage>> = {
  quota: [
    'RESOURCE_EXHAUSTED',
    'You exceeded your current quota, please check your plan and billing details.',
  ],
  context: [
    'INVALID_ARGUMENT',
    'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).',
  ],
  'no-tools': ['INVALID_ARGUMENT', 'Function calling is not enabled for this model.'],
  'bad-key': ['INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'],
};

const DETAILS: Readonly<Partial<Record<FaultReason, object>>> = {
  quota: { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [] },
  'bad-key': {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'API_KEY_INVALID',
    domain: 'googleapis.com',
  },
};

/** Body of an HTTP error, and of an error in a stream. */
export function geminiErrorBody(code: FaultStatus, reason?: FaultReason): object {
  const [status, message] = reason ? BY_REASON[reason] : BY_STATUS[code];
  const details = reason && DETAILS[reason];
  return { error: { code, message, status, ...(details && { details: [details] }) } };
}
