import { Client, StdioClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { BIN, type Workplace } from './workplace.js';

/** The two protocol versions that are served. */
export const VERSIONS = ['2025-11-25', '2026-07-28'] as const;
export type Version = (typeof VERSIONS)[number];
