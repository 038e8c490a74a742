import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';

/** A registry with one base image, `base:1`, which has one empty layer. */
export interface ContainerRegistry {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  close(): void;
}

/** Serves what the SDK reads of a registry (https://distribution.github.io/distribution/spec/api/). */
export async function startContainerRegistry(): Promise<ContainerRegistry> {
  const tar = Buffer.alloc(1024);
  const layer = gzipSync(tar);
  const config = json({
    architecture: 'amd64',
    os: 'linux',
    config: { Env: ['PATH=/usr/bin'] },
    rootfs: { type: 'layers', diff_ids: [digest(tar)] },
    history: [{ created: '2024-01-01T00:00:00Z', created_by: 'test' }],
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: entry('application/vnd.docker.container.image.v1+json', config),
    layers: [entry('application/vnd.docker.image.rootfs.diff.tar.gzip', layer)],
  });
  const blobs = new Map([config, layer].map((blob) => [`/v2/base/blobs/${digest(blob)}`, blob]));
  const server: Server = createServer(({ url = '' }, response) => {
    const body = url === '/v2/base/manifests/1' ? manifest : (blobs.get(url) ?? (url === '/v2/' ? '{}' : undefined));
    if (body === manifest) response.setHeader('Content-Type', MANIFEST);
    response.statusCode = body === undefined ? 404 : 200;
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const digest = (blob: Buffer) => `sha256:${createHash('sha256').update(blob).digest('hex')}`;
const entry = (mediaType: string, blob: Buffer) => ({ mediaType, size: blob.length, digest: digest(blob) });
