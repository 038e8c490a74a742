import { hostname } from 'node:os';
import type { Settings } from './settings.js';

/** The name of this replica; '' for a server that has no others (docs/spec/shared.md#settings). */
export function replicaName({ Replica, Redis }: Settings['State']): string {
  if (Replica !== '' || Redis === undefined) return Replica;
  return (
    hostname()
      .replaceAll(/[^A-Za-z0-9-]+/g, '-')
      .replace(/^-+/, '')
      .slice(0, MAX_CHARS) || 'replica'
  );
}

const MAX_CHARS = 63;
