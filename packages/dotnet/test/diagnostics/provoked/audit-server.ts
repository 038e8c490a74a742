import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AuditServer {
  /** Its address, without a slash at the end. */
  readonly url: string;
  close(): void;
}

const LEVELS = ['low', 'moderate', 'high', 'critical'];

/**
 * A NuGet source that only knows vulnerabilities: of the packages `Low`, `Moderate`, `High`, `Critical` 1.0.0. Below
 * `/without` it promises them and has none, below `/none` it does not even promise.
 */
export async function startAuditServer(): Promise<AuditServer> {
  const server = createServer(({ url = '' }, response) => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const resource = (path: string) => ({ '@id': `${base}/${path}`, '@type': 'VulnerabilityInfo/6.7.0' });
    const documents: Record<string, unknown> = {
      '/index.json': { version: '3.0.0', resources: [resource('pages.json')] },
      '/without/index.json': { version: '3.0.0', resources: [resource('nothing.json')] },
      '/none/index.json': { version: '3.0.0', resources: [] },
      '/pages.json': [{ '@name': 'base', '@id': `${base}/base.json`, '@updated': '2026-01-01T00:00:00Z' }],
      '/base.json': Object.fromEntries(
        LEVELS.map((id, severity) => [id, [{ severity, url: `https://example.org/${id}`, versions: '[1.0.0]' }]]),
      ),
    };
    const document = documents[url];
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}
