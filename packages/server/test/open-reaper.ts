import { createReaper, type Reaper } from '@mortise/process';
import { bundlePath } from '../src/util/package-root.js';

/** A reaper that runs what the server publishes. */
export const openReaper = (): Reaper => createReaper(bundlePath('reaper-main.cjs'));
