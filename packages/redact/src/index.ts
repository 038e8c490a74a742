export { PLACEHOLDER } from './placeholder.js';
export { createRedactor, createUnsafeRedactor, type RedactedLines, type Redactor } from './redactor.js';
export { OwnWords } from './scanning/own-words.js';
export { isSecretKey } from './values/secret-key.js';
