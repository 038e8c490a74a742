import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { http: { type: 'string' }, tools: { type: 'string', default: '1' } } });

/** The port to serve HTTP on; undefined for stdio. */
export const httpPort = values.http === undefined ? undefined : Number(values.http);

/** How many tools to offer: `echo`, and others that only are in the list. */
export const toolCount = Number(values.tools);
