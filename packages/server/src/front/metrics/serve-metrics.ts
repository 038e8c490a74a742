import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLocalHost } from '@mortise/mcp/http';
import type { RequestMetrics } from '../../core/server-metrics.js';
import { SettingsError } from '../../settings/settings-error.js';

type MetricsText = Pick<RequestMetrics, 'text' | 'contentType'>;

const HOST = '127.0.0.1';

/** Metrics at `http://127.0.0.1:<port>/metrics`, for programs on this machine only. */
export interface ServedMetrics {
  readonly url: string;
  close(): void;
}

/** @throws SettingsError if the port cannot be listened on */
export async function serveMetrics(metrics: MetricsText, port: number): Promise<ServedMetrics> {
  const server = createServer((req, res) => void answer(metrics, req, res));
  server.listen(port, HOST);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'another program listens on it' : message;
    const problem = `Telemetry.MetricsPort is ${port}, which cannot be listened on: ${why}.`;
    throw new SettingsError([{ key: 'Telemetry.MetricsPort', message: problem, hint: 'Choose another port.' }]);
  }
  server.unref();
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}/metrics`;
  return {
    url,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  metrics: MetricsText,
  { method, url, headers }: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const plain = (status: number, text: string) =>
    res.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`);
  if (!isLocalHost(headers.host)) plain(403, 'The header Host must be this machine.');
  else if (url?.split('?', 1)[0] !== '/metrics') plain(404, 'Not found: the metrics are at /metrics.');
  else if (method !== 'GET' && method !== 'HEAD') plain(405, 'Only GET is allowed.');
  else res.writeHead(200, { 'content-type': metrics.contentType }).end(await metrics.text());
}
