/** The replacement of a secret. */
export const PLACEHOLDER = '[REDACTED]';
