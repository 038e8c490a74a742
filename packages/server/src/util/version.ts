import { packageJson } from './package-root.js';

/** The version of this package. */
export const { version } = packageJson;

/** The server, as plugins see it. */
export const SERVER = { name: 'mortise', version } as const;
