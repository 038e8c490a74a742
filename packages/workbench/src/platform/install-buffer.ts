import { browserBuffer } from './node-buffer.js';

// `@mortise/redact` allocates when it is loaded: this module has to be imported before it.
Object.assign(globalThis, { Buffer: browserBuffer });
