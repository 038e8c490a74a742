import { browserBuffer } from './node-buffer.js';

// Import this module before `@mortise/redact`, which allocates buffers while it is loaded.
Object.assign(globalThis, { Buffer: browserBuffer });
