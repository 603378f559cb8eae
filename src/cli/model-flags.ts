/** The settings of a command that may ask a model beside a loop. */
export const MODEL_FLAGS = [
  ...['model', 'reflectorModel', 'baseUrl', 'fallbackModels', 'reflector', 'maxCost', 'maxTokens'],
];
