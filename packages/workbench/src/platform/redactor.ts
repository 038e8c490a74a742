import './install-buffer.js';
import { createRedactor } from '@mortise/redact';

/** The redactor of the server, with its detectors. What a browser stores passes it. */
export const redactor = createRedactor({ secrets: [] });
