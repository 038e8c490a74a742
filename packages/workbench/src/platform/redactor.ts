import './install-buffer.js';
import { createRedactor } from '@mortise/redact';

/** Redacts everything that the page stores in the browser. It has the same detectors as the server's redactor. */
export const redactor = createRedactor({ secrets: [] });
