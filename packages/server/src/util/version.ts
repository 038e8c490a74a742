import { readFileSync } from 'node:fs';

const packageJson = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The version of this package. */
export const version = packageJson.version;

/** The server, as plugins see it. */
export const SERVER = { name: 'mortise', version } as const;
