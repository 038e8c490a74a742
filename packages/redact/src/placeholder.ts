/** The text that replaces a secret. */
export const PLACEHOLDER = '[REDACTED]';
