import './install-buffer.js';
import { createRedactor } from '@mortise/redact';

/** Has the same detectors as the server. Everything that the page stores in the browser is redacted with it first. */
export const redactor = createRedactor({ secrets: [] });
